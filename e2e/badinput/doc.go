// Package badinput proves that what is wrong from outside (requests, files,
// devices, the state directory) is a clear error with its code, through both
// programs, and that nothing is sent. It has tests only.
package badinput
