//go:build linux || darwin

package credential_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestMain turns the test binary into a credential helper where this variable
// asks for one.
const helperVariable = "FORTI_TEST_HELPER"

func TestMain(m *testing.M) {
	if how := os.Getenv(helperVariable); how != "" {
		os.Exit(helper(how))
	}
	os.Exit(m.Run())
}

// helper behaves as bad as programs do.
func helper(how string) int {
	switch how {
	case "plain":
		fmt.Println(secret)
	case "two lines":
		fmt.Println("Welcome to the vault, " + secret)
		fmt.Println(secret)
	case "noise":
		_, _ = fmt.Fprintln(os.Stderr, "unlocked", secret)
		fmt.Print(secret, "\r\n")
	case "arguments":
		fmt.Print(strings.Join(os.Args[1:], "|"))
	case "endless":
		for {
			if _, err := io.WriteString(os.Stdout, strings.Repeat(secret, 100)); err != nil {
				return 1
			}
		}
	case "refuses":
		fmt.Println(secret)
		return 3
	case "hangs", "child":
		return wait()
	case "reads":
		data, err := io.ReadAll(os.Stdin)
		fmt.Printf("%d bytes, %v", len(data), err)
	case "silent":
	case "leaves a child":
		return leaveChild()
	case "closes":
		fmt.Print(secret)
		for fd := range 3 {
			_ = syscall.Close(fd)
		}
	case "meddles":
		return meddle()
	}
	return 0
}

// wait reads from a pipe that nobody writes into.
func wait() int {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		return 1
	}
	_, _ = syscall.Read(ends[0], make([]byte, 1))
	return 0
}

// leaveChild starts a child that holds the output open, tells its number and ends.
func leaveChild() int {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), helperVariable+"=child")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		return 1
	}
	if err := os.WriteFile(os.Getenv("FORTI_TEST_PID"), []byte(fmt.Sprint(child.Process.Pid)), 0o600); err != nil {
		return 1
	}
	fmt.Println(secret)
	return 0
}

// meddle writes to every file that it may have inherited.
func meddle() int {
	for fd := range 64 {
		if fd != 1 {
			_, _ = syscall.Write(fd, []byte("{\"jsonrpc\":\"2.0\"}\n"))
		}
	}
	fmt.Print(secret)
	return 0
}
