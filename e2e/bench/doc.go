// Package bench compares forti-mcp with minimal servers on the official Go SDK
// (bench/gosdk) and on mark3labs/mcp-go (bench/mcpgo): the same four tools, the same
// texts, answers that are constants. It has benchmarks and the two programs only; no
// test depends on time.
//
//	cd e2e && GOWORK=off go test ./bench -run '^$' -bench . -benchtime 10x
//
// Each benchmark takes all programs in turn, in every round, so that what else the
// machine does weighs on each of them. It reports the median of each, the ratio of
// forti-mcp to the better of the others, and the target of that ratio.
//
//	benchmark          what                                              target
//	Start              from exec to the answer of initialize             ≤ 1.0
//	Pipelined          tools/list per second, all written at once        ≥ 3.0
//	PingPongList       tools/list, one after the other, p50 (p99 too)    ≤ 0.8
//	PingPongCall       a call that is answered locally, p50 (p99 too)    ≤ 0.8
//	Resident           resident memory after tools/list                  ≤ 1.5
//	CPU                processor time of 100,000 tools/list              ≤ 0.4
//	Apply              forti_apply of ten changes, to its bare exchanges   ≤ 1.1
//	LongLine           growth by a line of 200 MiB, forti-mcp alone      < 8 MiB
package bench
