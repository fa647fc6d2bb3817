package cassette

// OnSlowDisk are options of a recorder whose disk takes 200 ms for whatever makes
// something last.
func OnSlowDisk() RecordOptions { return RecordOptions{disk: slowDisk{newMemDisk()}} }

// SlowService answers after 50 ms.
const SlowService = slowService(50_000_000)
