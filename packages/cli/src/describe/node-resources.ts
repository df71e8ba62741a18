import type { Container, Pod } from 'client-ts/api/core/v1';
import type { QuantityValue } from 'client-ts/meta';
import { parseQuantity } from 'client-ts/meta';

import { block, field, indent, type Lines, table } from './lines.ts';
import { age, type Names, sorted } from './values.ts';

type Amounts = ReadonlyMap<string, QuantityValue>;
type Kind = 'limits' | 'requests';

const zero = parseQuantity('0');

/** What the pods of a node request, each and together, of what the node has. */
export function nodeResources(
  pods: readonly Pod[],
  allocatable: Names<number | string>,
  now: number,
): Lines {
  const all = amountsOf(allocatable);
  const shares = pods.map((pod) => {
    const requests = podAmounts(pod, 'requests');
    const limits = podAmounts(pod, 'limits');
    const cells = ['cpu', 'memory'].flatMap((name) => [
      share(name, requests, all),
      share(name, limits, all),
    ]);
    const { namespace, name, creationTimestamp } = pod.metadata ?? {};
    return [namespace, name, '', ...cells, age(creationTimestamp, now)];
  });
  const requests = sum(pods.map((pod) => podAmounts(pod, 'requests')));
  const limits = sum(pods.map((pod) => podAmounts(pod, 'limits')));
  return [
    field('Non-terminated Pods', `(${pods.length} in total)`),
    indent(table(podColumns, shares)),
    block(
      'Allocated resources',
      '(Total limits may be over 100 percent, i.e., overcommitted.)',
      table(
        ['Resource', 'Requests', 'Limits'],
        [...standard, ...others(all)].map((name) => [
          name,
          isExtended(name) ? amount(requests, name).toString() : share(name, requests, all),
          isExtended(name) ? amount(limits, name).toString() : share(name, limits, all),
        ]),
      ),
    ),
  ];
}

const podColumns = [
  'Namespace',
  'Name',
  '',
  'CPU Requests',
  'CPU Limits',
  'Memory Requests',
  'Memory Limits',
  'Age',
];
const standard = ['cpu', 'memory', 'ephemeral-storage'];

function others(all: Amounts): string[] {
  const names = [...all.keys()].filter((name) => ![...standard, 'pods'].includes(name)).toSorted();
  return [...names.filter((name) => !isExtended(name)), ...names.filter(isExtended)];
}

function isExtended(name: string): boolean {
  return !standard.includes(name) && !name.startsWith('hugepages-');
}

/** `250m (12%)`. */
function share(name: string, amounts: Amounts, all: Amounts): string {
  const used = amount(amounts, name);
  const whole = amount(all, name);
  const [part, total] =
    name === 'cpu' ? [used.milliValue(), whole.milliValue()] : [used.value(), whole.value()];
  const percent = total === 0n ? 0 : Math.trunc((Number(part) / Number(total)) * 100);
  return `${used.toCanonicalString()} (${percent}%)`;
}

function amount(amounts: Amounts, name: string): QuantityValue {
  return amounts.get(name) ?? zero;
}

function amountsOf(values: Names<number | string> | undefined): Map<string, QuantityValue> {
  return new Map(sorted(values).map(([name, value]) => [name, parseQuantity(value)]));
}

/**
 * The requests or limits of a pod: of its containers together, or of its init containers if one
 * needs more; with its overhead. Those of the whole pod come first.
 */
function podAmounts({ spec }: Pod, kind: Kind): Amounts {
  const of = (container: Container): Amounts => amountsOf(container.resources?.[kind]);
  const { containers = [], initContainers = [], resources, overhead } = spec ?? {};
  let sidecars: Amounts = new Map();
  let initial: Amounts = new Map();
  for (const container of initContainers) {
    const isSidecar = container.restartPolicy === 'Always';
    const needed = sum([of(container), sidecars]);
    if (isSidecar) sidecars = needed;
    initial = largest(initial, needed);
  }
  const total = new Map(largest(sum([...containers.map(of), sidecars]), initial));
  for (const [name, value] of amountsOf(resources?.[kind])) total.set(name, value);
  for (const [name, value] of amountsOf(overhead)) {
    const known = total.get(name);
    if (kind === 'requests' || known !== undefined) total.set(name, (known ?? zero).add(value));
  }
  return total;
}

function sum(all: readonly Amounts[]): Amounts {
  const total = new Map<string, QuantityValue>();
  for (const amounts of all) {
    for (const [name, value] of amounts) total.set(name, (total.get(name) ?? zero).add(value));
  }
  return total;
}

function largest(one: Amounts, other: Amounts): Amounts {
  const result = new Map(one);
  for (const [name, value] of other) {
    if (value.compare(amount(one, name)) > 0) result.set(name, value);
  }
  return result;
}
