import type { ServerResources } from 'client-ts/discovery';
import { type APIResource, parseApiVersion } from 'client-ts/meta';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { writeExactly } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { stylesFor } from '../frame/styles.ts';
import { Columns } from '../print/align.ts';
import { compareStrings } from 'client-ts/internal';
import { formatJson } from '../print/object-printer.ts';
import { formatYaml } from '../print/yaml.ts';
import { openSession } from '../resources/session.ts';
import { reportFailures } from './report-failures.ts';

/** Options of `client-ts api-resources`. */
export interface ApiResourcesOptions extends ResourceFilter {
  readonly connection: ConnectionValues;
  /** False: do not use the discovery cache. */
  readonly cached: boolean;
  readonly output: 'json' | 'name' | 'wide' | 'yaml' | undefined;
  readonly headers: boolean;
}

/** Filters and order. */
export interface ResourceFilter {
  readonly group: string | undefined;
  readonly namespaced: boolean | undefined;
  readonly verbs: readonly string[];
  readonly categories: readonly string[];
  readonly sortBy: 'kind' | 'name' | undefined;
}

/** A resource with its group-version. */
type Listed = APIResource & { readonly group: string; readonly version: string };

/** Prints the resources of the server. */
export async function printApiResources(
  options: ApiResourcesOptions,
  context: CommandContext,
): Promise<void> {
  await using session = await openSession(options.connection, context);
  if (!options.cached) session.discovery.invalidate();
  const found = await withProgress(
    context,
    `Asking ${session.config.server} what it serves`,
    session.discovery.preferredResources({ signal: context.signal }),
  );
  const resources = chooseResources(found, options);
  const { output } = options;
  if (output === 'name') {
    for (const resource of resources) writeExactly(context.stdout, `${qualifiedName(resource)}\n`);
  } else if (output === 'json' || output === 'yaml') {
    const list = { apiVersion: 'v1', kind: 'APIResourceList', groupVersion: '', resources };
    context.out(output === 'json' ? formatJson(list) : formatYaml(list).trimEnd());
  } else {
    printTable(resources, { wide: output === 'wide', headers: options.headers }, context);
  }
  reportFailures(found.failures);
}

/** The matching resources, sorted by group and name by default. */
export function chooseResources(
  { resources }: Pick<ServerResources, 'resources'>,
  { group, namespaced, verbs, categories, sortBy }: ResourceFilter,
): Listed[] {
  return resources
    .flatMap((list) => {
      const groupVersion = parseApiVersion(list.groupVersion);
      return list.resources.map((resource): Listed => ({ ...resource, ...groupVersion }));
    })
    .filter(
      (each) =>
        each.verbs.length > 0 &&
        (group === undefined || each.group === group) &&
        (namespaced === undefined || each.namespaced === namespaced) &&
        verbs.every((verb) => each.verbs.includes(verb)) &&
        categories.every((category) => each.categories?.includes(category) === true),
    )
    .sort((left, right) => {
      const key = sortBy ?? 'group';
      return compareStrings(left[key], right[key]) || compareStrings(left.name, right.name);
    });
}

function printTable(
  resources: readonly Listed[],
  { wide, headers }: { readonly wide: boolean; readonly headers: boolean },
  context: CommandContext,
): void {
  const headings = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'];
  const rows = resources.map((each) => [
    each.name,
    (each.shortNames ?? []).join(','),
    each.group === '' ? each.version : `${each.group}/${each.version}`,
    String(each.namespaced),
    each.kind,
    ...(wide ? [each.verbs.join(','), (each.categories ?? []).join(',')] : []),
  ]);
  const titles = wide ? [...headings, 'VERBS', 'CATEGORIES'] : headings;
  const lines = new Columns().align(headers ? [titles, ...rows] : rows);
  const { bold } = stylesFor(context.stdout);
  for (const [index, line] of lines.entries()) {
    context.out(headers && index === 0 ? bold(line) : line);
  }
}

function qualifiedName({ name, group }: Listed): string {
  return group === '' ? name : `${name}.${group}`;
}
