// Package scenariotest runs Go code against scenarios in go test: the calls that
// the code makes to services are answered from a .scenario.hcl file, with its
// faults, and in fake time.
//
//	func TestAgent(t *testing.T) {
//		scenariotest.Run(t, "testdata/agent.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
//			resp, err := s.Client().Get("https://api.example.test/orders") // 30 s of Retry-After cost nothing
//			if err != nil {
//				t.Fatal(err)
//			}
//			resp.Body.Close()
//		})
//	}
//
// Each scenario of the file is a subtest in a testing/synctest bubble of its
// own, where time.Sleep, timers and deadlines are exact and take no time. A
// broken gate is reported with t.Error when it breaks; what the scenario expects
// is checked when the function returns.
//
// An SDK is given [Scenario.Client] as its HTTP client, with any text as its key.
package scenariotest
