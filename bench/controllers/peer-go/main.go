// Command peer-go is the controller of controller.mjs on controller-runtime. Every result is a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const workers = 16

var mark = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"done":"yes"}}}`))

// What the reconciles are for, in this order.
const (
	looking = iota
	marking
	timing
)

type reconciler struct {
	client  client.Client
	objects int64
	changes int

	phase     atomic.Int64
	count     atomic.Int64
	reached   chan struct{}
	mutex     sync.Mutex
	latencies []float64
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var object corev1.ConfigMap
	if err := r.client.Get(ctx, request.NamespacedName, &object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch r.phase.Load() {
	case looking:
		r.add(r.objects)
	case marking:
		if object.Labels["done"] == "yes" {
			r.add(r.objects)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, r.client.Patch(ctx, &object, mark)
	case timing:
		if sent, err := strconv.ParseFloat(object.Annotations["sent"], 64); err == nil {
			r.time(float64(time.Now().UnixMicro())/1000 - sent)
		}
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) add(wanted int64) {
	if r.count.Add(1) == wanted {
		r.reached <- struct{}{}
	}
}

func (r *reconciler) time(latencyMs float64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.latencies = append(r.latencies, latencyMs)
	if len(r.latencies) == r.changes {
		r.reached <- struct{}{}
	}
}

func main() {
	// Not the common flags, where controller-runtime has a --kubeconfig of its own.
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the server")
	namespace := flags.String("namespace", "default", "the namespace of the objects")
	objects := flags.Int64("objects", 0, "how many objects the namespace has")
	changes := flags.Int("changes", 0, "how many changes there will be")
	fail(flags.Parse(os.Args[1:]))
	fail(run(*kubeconfig, *namespace, *objects, *changes))
}

func run(kubeconfig, namespace string, objects int64, changes int) error {
	log.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// No limit of its own: what is measured is the way through the controller.
	config.QPS = -1
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	start, cpuStart := time.Now(), cpuTime()
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	r := &reconciler{
		client: manager.GetClient(), objects: objects, changes: changes, reached: make(chan struct{}, 1),
	}
	all := make(chan event.GenericEvent, objects)
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		WatchesRawSource(source.Channel(all, &handler.EnqueueRequestForObject{})).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(r)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()

	<-r.reached
	wall, used := time.Since(start), cpuTime()-cpuStart
	report(map[string]any{"syncMs": milliseconds(wall), "syncCpuMs": milliseconds(used)})

	r.count.Store(0)
	r.phase.Store(marking)
	var list corev1.ConfigMapList
	if err := manager.GetClient().List(ctx, &list); err != nil {
		return err
	}
	start, cpuStart = time.Now(), cpuTime()
	for index := range list.Items {
		all <- event.GenericEvent{Object: &list.Items[index]}
	}
	<-r.reached
	wall, used = time.Since(start), cpuTime()-cpuStart
	report(map[string]any{
		"writesPerSecond": float64(objects) / wall.Seconds(),
		"writeMicros":     milliseconds(used) * 1000 / float64(objects),
	})

	r.phase.Store(timing)
	cpuStart = cpuTime()
	report(map[string]any{"ready": true})
	<-r.reached
	used = cpuTime() - cpuStart
	slices.Sort(r.latencies)
	report(map[string]any{
		"latencyMs":     r.latencies[changes/2],
		"latencyP99Ms":  r.latencies[changes*99/100],
		"latencyMicros": milliseconds(used) * 1000 / float64(changes),
	})
	cancel()
	return <-ended
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func milliseconds(duration time.Duration) float64 {
	return float64(duration) / float64(time.Millisecond)
}

func report(result map[string]any) {
	line, err := json.Marshal(result)
	fail(err)
	fmt.Println(string(line))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
