// Command peer-go measures client-go's shared informer in the same way as the programs beside it:
// it prints a line of JSON when everything has been read, and another when all changes have come.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type options struct {
	kubeconfig, namespace, kind        string
	objects, handlers, indices, events int
	warmUp, touch                      int
}

func main() {
	var o options
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "how to reach the server")
	flag.StringVar(&o.namespace, "namespace", "", "the namespace of the pods; all if empty")
	flag.StringVar(&o.kind, "kind", "pods", "pods (typed, protobuf) or widgets (dynamic, JSON)")
	flag.IntVar(&o.objects, "objects", 0, "how many objects there must be after the sync")
	flag.IntVar(&o.handlers, "handlers", 1, "how many handlers")
	flag.IntVar(&o.indices, "indices", 1, "how many of the five indices")
	flag.IntVar(&o.events, "events", 0, "how many changes to wait for after the sync")
	flag.IntVar(&o.warmUp, "warm-up", 0, "how many changes come before those that are measured")
	flag.IntVar(&o.touch, "touch", 0, "1: handlers read every field")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(o options) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	informer, err := informerFor(o)
	if err != nil {
		return err
	}
	warm, updates := newCounter(o.warmUp*o.handlers), newCounter(o.events*o.handlers)
	synced := make([]cache.InformerSynced, o.handlers)
	for i := range synced {
		registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(object any) { read(o, object) },
			UpdateFunc: func(_, object any) {
				read(o, object)
				if !warm.add() {
					updates.add()
				}
			},
		})
		if err != nil {
			return err
		}
		synced[i] = registration.HasSynced
	}

	heapBefore := liveBytes()
	start, cpuStart := time.Now(), cpuTime()
	go informer.Run(ctx.Done())
	for _, hasSynced := range synced {
		for !hasSynced() {
			time.Sleep(time.Millisecond)
		}
	}
	wall, cpu, peak := time.Since(start), cpuTime()-cpuStart, peakBytes()
	if count := len(informer.GetStore().ListKeys()); count != o.objects {
		return fmt.Errorf("%d objects instead of %d", count, o.objects)
	}
	report(map[string]any{
		"phase": "sync", "objects": o.objects, "wallMs": milliseconds(wall), "cpuMs": milliseconds(cpu),
		"peakBytes": peak, "liveBytes": liveBytes() - heapBefore,
	})
	if o.events == 0 {
		return nil
	}
	if o.warmUp > 0 {
		warm.wait()
		report(map[string]any{"phase": "warm"})
	}
	cpuStart = cpuTime()
	elapsed := updates.wait()
	report(map[string]any{
		"phase": "watch", "events": o.events, "cpuMs": milliseconds(cpuTime() - cpuStart),
		"eventsPerSecond": float64(o.events) / elapsed.Seconds(),
	})
	return nil
}

// read reads every field of an object, if that is asked for.
func read(o options, object any) {
	if o.touch == 0 {
		return
	}
	if _, err := json.Marshal(object); err != nil {
		panic(err)
	}
}

// informerFor makes the informer without a factory, which would add an index by namespace of its own.
func informerFor(o options) (cache.SharedIndexInformer, error) {
	indexers := cache.Indexers{}
	for _, index := range indices[:o.indices] {
		indexers[index.name] = index.function
	}
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return nil, err
	}
	// No limit of its own: what is measured is the informer.
	config.QPS = -1
	if o.kind == "pods" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		return coreinformers.NewPodInformer(client, o.namespace, 0, indexers), nil
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	resource := schema.GroupVersionResource{Group: "bench.example.com", Version: "v1", Resource: o.kind}
	return dynamicinformer.NewFilteredDynamicInformer(client, resource, "", 0, indexers, nil).Informer(), nil
}

// indices are those of the other programs, in the same order.
var indices = []struct {
	name     string
	function cache.IndexFunc
}{
	{"node", func(object any) ([]string, error) {
		if pod, ok := object.(*corev1.Pod); ok {
			return []string{pod.Spec.NodeName}, nil
		}
		return nested(object, "spec", "nodeName")
	}},
	{"namespace", ofMeta(func(o metav1.Object) []string { return []string{o.GetNamespace()} })},
	{"app", ofMeta(func(o metav1.Object) []string { return []string{o.GetLabels()["app"]} })},
	{"owner", ofMeta(func(o metav1.Object) []string {
		owners := o.GetOwnerReferences()
		uids := make([]string, len(owners))
		for i := range owners {
			uids[i] = string(owners[i].UID)
		}
		return uids
	})},
	{"phase", func(object any) ([]string, error) {
		if pod, ok := object.(*corev1.Pod); ok {
			return []string{string(pod.Status.Phase)}, nil
		}
		return nested(object, "status", "phase")
	}},
}

func ofMeta(values func(metav1.Object) []string) cache.IndexFunc {
	return func(object any) ([]string, error) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, err
		}
		return values(accessor), nil
	}
}

func nested(object any, fields ...string) ([]string, error) {
	value, _, err := unstructured.NestedString(object.(*unstructured.Unstructured).Object, fields...)
	return []string{value}, err
}

// counter takes the time from the first of a number of calls to the last.
type counter struct {
	seen   atomic.Int64
	wanted int64
	start  sync.Once
	first  time.Time
	last   chan time.Time
}

func newCounter(wanted int) *counter {
	return &counter{wanted: int64(wanted), last: make(chan time.Time, 1)}
}

// add reports whether the call is one of those that are counted.
func (c *counter) add() bool {
	seen := c.seen.Add(1)
	if seen > c.wanted {
		return false
	}
	c.start.Do(func() { c.first = time.Now() })
	if seen == c.wanted {
		c.last <- time.Now()
	}
	return true
}

func (c *counter) wait() time.Duration {
	last := <-c.last
	return last.Sub(c.first)
}

func liveBytes() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func usage() syscall.Rusage {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used
}

func cpuTime() time.Duration {
	used := usage()
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func peakBytes() int64 {
	return usage().Maxrss * 1024
}

func milliseconds(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}

func report(result map[string]any) {
	line, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}
