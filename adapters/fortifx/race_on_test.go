//go:build race

package fortifx_test

const raceDetector = true
