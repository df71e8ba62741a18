package main

import (
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"
)

type queue = workqueue.TypedInterface[string]

func newQueue() queue { return workqueue.NewTyped[string]() }

func addAll(q queue, keys []string) {
	for _, key := range keys {
		q.Add(key)
	}
}

func workOff(q queue) {
	for {
		key, shutdown := q.Get()
		if shutdown {
			return
		}
		q.Done(key)
	}
}

// inParallel runs ten workers until the queue has been shut down and drained.
func inParallel(q queue, worker func(), keys []string) {
	var workers sync.WaitGroup
	for range 10 {
		workers.Go(worker)
	}
	addAll(q, keys)
	q.ShutDownWithDrain()
	workers.Wait()
}

var queueCases = []benchCase{
	{"add", func(keys []string) func() {
		q := newQueue()
		return func() { addAll(q, keys) }
	}},
	{"add what waits already", func(keys []string) func() {
		q := newQueue()
		addAll(q, keys)
		return func() { addAll(q, keys) }
	}},
	{"get and done, all queued", func(keys []string) func() {
		q := newQueue()
		addAll(q, keys)
		q.ShutDown()
		return func() { workOff(q) }
	}},
	{"add, get and done in turn", func(keys []string) func() {
		q := newQueue()
		return func() {
			for _, key := range keys {
				q.Add(key)
				taken, _ := q.Get()
				q.Done(taken)
			}
		}
	}},
	{"add to done through 10 idle workers", func(keys []string) func() {
		q := newQueue()
		return func() { inParallel(q, func() { workOff(q) }, keys) }
	}},
	// What runWorkers does for a key that needs nothing, written out: Go has no such function.
	{"the same by runWorkers", func(keys []string) func() {
		q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
		worker := func() {
			for {
				key, shutdown := q.Get()
				if shutdown {
					return
				}
				q.NumRequeues(key)
				q.Forget(key)
				q.Done(key)
			}
		}
		return func() { inParallel(q, worker, keys) }
	}},
}

// delayOf spreads delays over ten minutes.
func delayOf(index int) time.Duration {
	return time.Duration(1+index*7919%600_000) * time.Millisecond
}

type delaying struct {
	workqueue.TypedDelayingInterface[string]
	clock *clocktesting.FakeClock
}

func newDelaying() delaying {
	clock := clocktesting.NewFakeClock(time.Unix(0, 0))
	config := workqueue.TypedDelayingQueueConfig[string]{Clock: clock}
	return delaying{workqueue.NewTypedDelayingQueueWithConfig(config), clock}
}

// settle waits until the loop of the queue has taken in everything before: delays go through a
// channel, and what was sent last arrives last.
func (d delaying) settle() {
	before := d.Len()
	d.AddAfter("the last", time.Nanosecond)
	d.clock.Step(time.Microsecond)
	for d.Len() == before {
		time.Sleep(50 * time.Microsecond)
	}
}

func (d delaying) delayAll(keys []string, share time.Duration) {
	for i, key := range keys {
		d.AddAfter(key, delayOf(i)/share)
	}
	d.settle()
}

var delayCases = []benchCase{
	{"addAfter, spread over ten minutes", func(keys []string) func() {
		q := newDelaying()
		return func() { q.delayAll(keys, 1) }
	}},
	{"addAfter, each earlier than before", func(keys []string) func() {
		q := newDelaying()
		q.delayAll(keys, 1)
		taken, _ := q.Get()
		q.Done(taken)
		return func() { q.delayAll(keys, 2) }
	}},
	{"all become ready together, are processed", func(keys []string) func() {
		q := newDelaying()
		for _, key := range keys {
			q.AddAfter(key, time.Second)
		}
		q.settle()
		return func() {
			q.clock.Step(time.Second)
			for range len(keys) + 1 {
				key, _ := q.Get()
				q.Done(key)
			}
		}
	}},
	{"addRateLimited, default limits", func(keys []string) func() {
		q := newDelaying()
		limited := workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{DelayingQueue: q},
		)
		return func() {
			for _, key := range keys {
				limited.AddRateLimited(key)
			}
			q.settle()
		}
	}},
}

// realTimers tells how late items come that are due in three to five seconds.
func realTimers(count int) {
	q := workqueue.NewTypedDelayingQueue[string]()
	keys := keysOf(count)
	due := make(map[string]time.Time, count)
	start := cpuTime()
	for i, key := range keys {
		delay := time.Duration(3000+i*7919%2000) * time.Millisecond
		due[key] = time.Now().Add(delay)
		q.AddAfter(key, delay)
	}
	late := make([]time.Duration, count)
	for i := range late {
		key, _ := q.Get()
		late[i] = time.Since(due[key])
		q.Done(key)
	}
	used := cpuTime() - start
	slices.Sort(late)
	report(map[string]any{
		"late": milliseconds(late[count/2]), "latest": milliseconds(late[count-1]), "cpuMs": milliseconds(used),
	})
}
