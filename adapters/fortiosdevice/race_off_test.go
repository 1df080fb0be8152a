//go:build !race

package fortiosdevice_test

const raceDetector = false
