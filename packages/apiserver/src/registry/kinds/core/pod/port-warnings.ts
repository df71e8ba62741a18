import type * as core from 'client-ts/api/core/v1';
import { quoteGo } from 'client-ts/internal';
import type { Loose } from '../../../../validation/loose.ts';
import type { VisitedContainer } from '../../../../validation/pod/visit-containers.ts';

interface PlacedPort {
  readonly port: Loose<core.ContainerPort>;
  readonly path: string;
}

/** Remarks about ports that the containers of a pod define more than once. */
export function portWarnings(containers: readonly VisitedContainer[]): string[] {
  const placed: readonly PlacedPort[] = containers.flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, index) => ({ port, path: `${path}.ports[${index}]` })),
  );
  return [...clashes(placed), ...sharedNames(placed)];
}

function clashes(placed: readonly PlacedPort[]): string[] {
  const known = new Map<string, PlacedPort[]>();
  return placed.flatMap((current) => {
    const { port, path } = current;
    const { containerPort = 0, hostIP = '', hostPort = 0, protocol = '' } = port;
    const key = `${containerPort}/${protocol}`;
    const others = known.get(key) ?? [];
    known.set(key, [...others, current]);
    return [
      ...(hostIP !== '' && hostPort === 0
        ? [`${path}: hostIP set without hostPort: ${printed(port)}`]
        : []),
      ...others.flatMap((other) => {
        const problem = clash(port, other.port);
        return problem === undefined ? [] : [`${path}: ${problem} with ${other.path}`];
      }),
    ];
  });
}

function clash(
  { hostIP = '', hostPort = 0 }: Loose<core.ContainerPort>,
  other: Loose<core.ContainerPort>,
): string | undefined {
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate port definition';
  if (hostPort === 0 || otherPort === 0) return 'overlapping port definition';
  const oneIsOpen = (hostIP === '') !== (otherIP === '');
  return hostPort === otherPort && oneIsOpen ? 'dangerously ambiguous port definition' : undefined;
}

/** The port as Go prints a struct. */
function printed(port: Loose<core.ContainerPort>): string {
  const { name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' } = port;
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function sharedNames(placed: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return placed.flatMap(({ port: { name = '' }, path }) => {
    if (name === '') return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, path);
      return [];
    }
    return [
      `${path}: duplicate port name ${quoteGo(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}
