// Package crash ends real programs in the middle of an apply and looks at what is
// left: on the device, in the state, and in what is told afterwards. It has tests
// only.
package crash
