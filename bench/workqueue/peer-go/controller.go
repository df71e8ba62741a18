package main

import (
	"context"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
)

const workers = 16

var mark = []byte(`{"metadata":{"labels":{"done":"yes"}}}`)

// reconciles runs the controller of controller.mjs: it looks at every object once, then marks them all.
func reconciles(kubeconfig, namespace string, objects int) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// No limit of its own: what is measured is the way through the controller.
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer, lister := factory.Core().V1().ConfigMaps().Informer(), factory.Core().V1().ConfigMaps().Lister()
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	enqueue := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			q.Add(key)
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, object any) { enqueue(object) }, DeleteFunc: enqueue,
	}); err != nil {
		return err
	}

	var seen, done, isMarking atomic.Int64
	allSeen, allDone := make(chan struct{}), make(chan struct{})
	maps := client.CoreV1().ConfigMaps(namespace)
	reconcile := func(key string) error {
		_, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return err
		}
		object, err := lister.ConfigMaps(namespace).Get(name)
		if err != nil {
			return err
		}
		switch {
		case isMarking.Load() == 0:
			if seen.Add(1) == int64(objects) {
				close(allSeen)
			}
		case isDone(object):
			if done.Add(1) == int64(objects) {
				close(allDone)
			}
		default:
			_, err = maps.Patch(ctx, name, types.MergePatchType, mark, metav1.PatchOptions{})
		}
		return err
	}

	start, cpuStart := time.Now(), cpuTime()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for range workers {
		go work(q, reconcile)
	}
	<-allSeen
	result := map[string]any{
		"syncMs": milliseconds(time.Since(start)), "syncCpuMs": milliseconds(cpuTime() - cpuStart),
	}
	isMarking.Store(1)
	start, cpuStart = time.Now(), cpuTime()
	for _, object := range informer.GetStore().List() {
		enqueue(object)
	}
	<-allDone
	wall, used := time.Since(start), cpuTime()-cpuStart
	q.ShutDown()
	result["writesPerSecond"] = float64(objects) / wall.Seconds()
	result["writeMicros"] = milliseconds(used) * 1000 / float64(objects)
	report(result)
	return nil
}

func isDone(object *corev1.ConfigMap) bool {
	return object.Labels["done"] == "yes"
}

func work(q workqueue.TypedRateLimitingInterface[string], reconcile func(string) error) {
	for {
		key, shutdown := q.Get()
		if shutdown {
			return
		}
		if err := reconcile(key); err != nil {
			q.AddRateLimited(key)
		} else {
			q.Forget(key)
		}
		q.Done(key)
	}
}
