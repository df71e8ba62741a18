// Command peer-go measures Go's work queues, and a controller on client-go, at what the programs
// beside it measure in TypeScript. Every result is a line of JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("say what to measure: queues, timers or reconciles"))
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	items := flags.String("items", "1000", "sizes of work queues")
	delayed := flags.String("delayed", "1000", "sizes of delaying queues")
	kubeconfig := flags.String("kubeconfig", "", "the server of the controller")
	namespace := flags.String("namespace", "default", "the namespace of the controller")
	objects := flags.Int("objects", 0, "how many objects the namespace has")
	fail(flags.Parse(os.Args[2:]))
	switch os.Args[1] {
	case "queues":
		runCases(queueCases, numbers(*items))
		runCases(delayCases, numbers(*delayed))
	case "timers":
		realTimers(numbers(*delayed)[0])
	case "reconciles":
		fail(reconciles(*kubeconfig, *namespace, *objects))
	default:
		fail(fmt.Errorf("%q cannot be measured", os.Args[1]))
	}
}

// benchCase prepares for its keys, which is not measured, and gives the work, which is.
type benchCase struct {
	name    string
	prepare func(keys []string) func()
}

// fewestItems is how many items small queues are measured with, several times over.
const fewestItems = 50_000

func runCases(cases []benchCase, sizes []int) {
	for _, one := range cases {
		for _, size := range sizes {
			var used time.Duration
			repeats := (fewestItems + size - 1) / size
			for range repeats {
				work := one.prepare(keysOf(size))
				runtime.GC()
				start := cpuTime()
				work()
				used += cpuTime() - start
			}
			done := float64(size * repeats)
			report(map[string]any{
				"name": one.name, "size": size, "perSecond": done / used.Seconds(),
			})
		}
	}
}

// keysOf gives keys as controllers use them.
func keysOf(count int) []string {
	keys := make([]string, count)
	for i := range keys {
		keys[i] = "namespace/pod-" + strconv.Itoa(i)
	}
	return keys
}

func numbers(list string) []int {
	var all []int
	for _, text := range strings.Split(list, ",") {
		number, err := strconv.Atoi(text)
		fail(err)
		all = append(all, number)
	}
	return all
}

func cpuTime() time.Duration {
	var used syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func milliseconds(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}

func report(result map[string]any) {
	line, err := json.Marshal(result)
	fail(err)
	fmt.Println(string(line))
}

// fail ends the program if there is an error.
func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
