// Command peer-go makes the GETs of gets.mjs with client-go. Every result is a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the server")
	sequential := flag.Int("sequential", 300, "GETs one after the other")
	parallel := flag.Int("parallel", 1000, "GETs at the same time")
	repeats := flag.Int("repeats", 1, "how often both are measured, after one time that is not")
	flag.Parse()
	fail(run(*kubeconfig, *sequential, *parallel, *repeats))
}

func run(kubeconfig string, sequential, parallel, repeats int) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// No limit of its own: what is measured is the way of a request.
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	get := func() {
		namespace, err := client.CoreV1().Namespaces().Get(context.Background(), "default", metav1.GetOptions{})
		fail(err)
		if namespace.Name != "default" {
			fail(fmt.Errorf("that is not what was asked for"))
		}
	}
	for repeat := range repeats + 1 {
		measure("sequential", sequential, repeat > 0, func() {
			for range sequential {
				get()
			}
		})
		measure("parallel", parallel, repeat > 0, func() {
			var all sync.WaitGroup
			for range parallel {
				all.Go(get)
			}
			all.Wait()
		})
	}
	return nil
}

func measure(name string, count int, isReported bool, work func()) {
	start, cpuStart := time.Now(), cpuTime()
	work()
	wall, used := time.Since(start), cpuTime()-cpuStart
	if !isReported {
		return
	}
	line, err := json.Marshal(map[string]any{
		"name": name, "wallMs": milliseconds(wall), "cpuMicros": milliseconds(used) * 1000 / float64(count),
	})
	fail(err)
	fmt.Println(string(line))
}

func cpuTime() time.Duration {
	var used syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func milliseconds(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
