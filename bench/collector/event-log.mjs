// The events that the bench's server sends: computed, the same for every client, nothing stored.

/** Every tenth change is an event from a while ago that happened again. */
const AGAIN = 10;
const AGO = 7;

const reasons = ['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started', 'BackOff', 'Killing'];

/** The number of the event that change `n`, from 1, is about. */
function subjectOf(n) {
  return n % AGAIN === 0 ? n - AGO : n;
}

/** The uid of an event, by its number. */
function uidOf(number) {
  const digits = number.toString(16).padStart(12, '0');
  return `00000000-0000-4000-8000-${digits}`;
}

/** Change `n` as a watch sends it; its resourceVersion is its number. */
export function change(n) {
  const number = subjectOf(n);
  const name = `web-${number % 5000}-7d4b9c5f4-${(number % 97).toString(36).padStart(5, 'x')}`;
  const reason = reasons[number % reasons.length];
  const time = new Date(Date.UTC(2026, 0, 1) + number * 10).toISOString();
  return {
    type: number === n ? 'ADDED' : 'MODIFIED',
    object: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name}.${number.toString(16)}`,
        namespace: `team-${number % 40}`,
        uid: uidOf(number),
        resourceVersion: `${n}`,
        creationTimestamp: `${time.slice(0, 19)}Z`,
      },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: `team-${number % 40}`,
        name,
        uid: uidOf(number % 5000),
        fieldPath: 'spec.containers{web}',
      },
      reason,
      message: `${reason} container web of ${name} on node-${number % 300} (attempt ${number % 9})`,
      type: reason === 'BackOff' ? 'Warning' : 'Normal',
      source: { component: 'kubelet', host: `node-${number % 300}` },
      firstTimestamp: `${time.slice(0, 19)}Z`,
      lastTimestamp: `${time.slice(0, 19)}Z`,
      count: number === n ? 1 : 2,
      reportingComponent: 'kubelet',
      reportingInstance: `node-${number % 300}`,
    },
  };
}

/** What must have been kept after `changes`: the count of every event, by uid. */
export function* finalCounts(changes) {
  for (let n = 1; n <= changes; n += 1) {
    if (n % AGAIN === 0) continue;
    const again = n + AGO;
    yield [uidOf(n), again % AGAIN === 0 && again <= changes ? 2 : 1];
  }
}

/** How many events that are. */
export function eventsIn(changes) {
  return changes - Math.floor(changes / AGAIN);
}
