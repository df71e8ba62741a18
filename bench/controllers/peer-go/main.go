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
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const workers = 16

// What marks an object as done.
type mark struct {
	value string
	patch client.Patch
}

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
	looks   int

	phase     atomic.Int64
	mark      atomic.Pointer[mark]
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
		mark := r.mark.Load()
		if object.Labels["done"] == mark.value {
			r.add(r.objects)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, r.client.Patch(ctx, &object, mark.patch)
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

// timed returns wall time and processor time of a phase, until enough of its reconciles have been counted.
func (r *reconciler) timed(phase int64, start func()) (time.Duration, time.Duration) {
	r.mutex.Lock()
	r.latencies = r.latencies[:0]
	r.mutex.Unlock()
	r.count.Store(0)
	r.phase.Store(phase)
	started, cpuStart := time.Now(), cpuTime()
	start()
	<-r.reached
	return time.Since(started), cpuTime() - cpuStart
}

// look reconciles every object r.looks times, and writes nothing.
func (r *reconciler) look(enqueueAll func(), result map[string]any) {
	var wall, used time.Duration
	for range r.looks {
		oneWall, oneUsed := r.timed(looking, enqueueAll)
		wall += oneWall
		used += oneUsed
	}
	reconciles := float64(r.looks) * float64(r.objects)
	result["looksPerSecond"] = reconciles / wall.Seconds()
	result["lookMicros"] = milliseconds(used) * 1000 / reconciles
}

func (r *reconciler) markAll(value string, enqueueAll func(), result map[string]any) {
	patch := fmt.Sprintf(`{"metadata":{"labels":{"done":%q}}}`, value)
	r.mark.Store(&mark{value: value, patch: client.RawPatch(types.MergePatchType, []byte(patch))})
	wall, used := r.timed(marking, enqueueAll)
	result["writesPerSecond"] = float64(r.objects) / wall.Seconds()
	result["writeMicros"] = milliseconds(used) * 1000 / float64(r.objects)
}

func (r *reconciler) timeChanges(result map[string]any) {
	_, used := r.timed(timing, func() { report(map[string]any{"ready": true}) })
	slices.Sort(r.latencies)
	result["latencyMs"] = r.latencies[r.changes/2]
	result["latencyP99Ms"] = r.latencies[r.changes*99/100]
	result["latencyMicros"] = milliseconds(used) * 1000 / float64(r.changes)
}

type options struct {
	kubeconfig, namespace  string
	objects                int64
	changes, looks, warmUp int
}

func main() {
	var o options
	// Not the common flags, where controller-runtime has a --kubeconfig of its own.
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "the server")
	flags.StringVar(&o.namespace, "namespace", "default", "the namespace of the objects")
	flags.Int64Var(&o.objects, "objects", 0, "how many objects the namespace has")
	flags.IntVar(&o.changes, "changes", 0, "how many changes there will be")
	flags.IntVar(&o.looks, "looks", 1, "how often every object is reconciled in a warm row without writes")
	flags.IntVar(&o.warmUp, "warm-up", 0, "how often everything is done before the warm rows; 0 for none")
	fail(flags.Parse(os.Args[1:]))
	fail(run(o))
}

func run(o options) error {
	log.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	// No limit of its own: what is measured is the way through the controller.
	config.QPS = -1
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	start, cpuStart := time.Now(), cpuTime()
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{o.namespace: {}}},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	r := &reconciler{
		client: manager.GetClient(), objects: o.objects, changes: o.changes, looks: o.looks,
		reached: make(chan struct{}, 1),
	}
	all := make(chan event.GenericEvent, o.objects)
	// The queue itself: no way to enqueue every object again is shorter.
	var queue priorityqueue.PriorityQueue[ctrl.Request]
	takeQueue := func(_ context.Context, own workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
		queue = own.(priorityqueue.PriorityQueue[ctrl.Request])
		return nil
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		WatchesRawSource(source.Channel(all, &handler.EnqueueRequestForObject{})).
		WatchesRawSource(source.Func(takeQueue)).
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

	var list corev1.ConfigMapList
	if err := manager.GetClient().List(ctx, &list); err != nil {
		return err
	}
	cold := map[string]any{}
	r.markAll("yes", func() {
		for index := range list.Items {
			all <- event.GenericEvent{Object: &list.Items[index]}
		}
	}, cold)
	r.timeChanges(cold)
	report(cold)

	requests := make([]ctrl.Request, 0, o.objects)
	for index := range list.Items {
		requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[index])})
	}
	list.Items = nil
	low := handler.LowPriority
	enqueueAll := func() { queue.AddWithOpts(priorityqueue.AddOpts{Priority: &low}, requests...) }
	warm := map[string]any{}
	for round := range o.warmUp {
		r.look(enqueueAll, warm)
		r.markAll(fmt.Sprintf("warm-%d", round), enqueueAll, warm)
	}
	if o.warmUp > 0 {
		r.look(enqueueAll, warm)
		r.markAll("warm", enqueueAll, warm)
		r.timeChanges(warm)
		report(map[string]any{"warm": warm})
	}
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
