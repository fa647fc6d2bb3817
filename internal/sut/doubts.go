package sut

import (
	"cmp"
	"time"
)

// ofLeft warns of what the run did not wait for.
const ofLeft = "the program ended and left something running, which was ended with the run, so what that would have asked or written next was not seen.\nhint: give the sut a settle, such as settle = \"2s\": then the run goes on until nothing was asked for so long"

// doubts are the reasons why a run that passes may say less than it seems to.
func (r *run) doubts(status string) (list []string) {
	if r.left && status != cancelled {
		list = append(list, ofLeft)
	}
	came := r.came.all()
	for _, why := range []string{
		r.outside.Crashed(r.command),
		r.outside.Misdirected(),
		r.outside.Untrusted(),
		r.outside.Misused(),
		r.outside.Echoed(),
		r.outside.InAddress(),
		r.unwritten(),
		r.outside.Kept(),
		cmp.Or(r.outside.Repeated(r.command), r.outside.Written(came)),
		r.outside.Zoned(r.command, cmp.Or(r.options.Zone, time.Local), r.began),
		r.outside.RuledOut(),
		cmp.Or(r.outside.Linked(), r.outside.Carried(r.command)),
		r.outside.Resent(),
		r.outside.Autocommitted(),
		r.outside.Absent(r.command),
		r.outside.Mislabelled(),
		r.outside.Parted(),
		r.outside.Untempted(),
		r.outside.Miscased(r.command),
		r.leadsNowhere(),
		r.nothingToCall(),
		r.elsewhereWritten(),
	} {
		if why != "" {
			list = append(list, why)
		}
	}
	return append(list, r.outside.Unseen(came, r.command, func() []string { return namedFiles(r.dir, r.command) })...)
}
