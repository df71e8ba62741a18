import { Clientset } from 'client-ts/kubernetes';
import { isNotFound, type KubernetesObject, type ResourceDescriptor } from 'client-ts/meta';
import { eventsFor } from 'client-ts/operations';

import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { withProgress } from '../frame/progress.ts';
import { fetchAll, fetchOne } from '../resources/fetch.ts';
import { readManifests } from '../resources/manifests.ts';
import { resolveTargets } from '../resources/resolve.ts';
import { openSession, type Session } from '../resources/session.ts';
import type { Target } from '../resources/targets.ts';
import type { Describer, Surroundings } from './describer.ts';
import { describerFor } from './describers.ts';
import { eventTable } from './events.ts';
import { genericDescriber } from './generic.ts';
import { field } from './lines.ts';
import { messageOf } from './network.ts';
import { aligned, withoutNulls } from './values.ts';

/** Options of `client-ts describe`. */
export interface DescribeOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly targets: readonly Target[];
  readonly files: readonly string[];
  readonly recursive: boolean;
  readonly labelSelector: string | undefined;
  /** A name that does not exist may be the beginning of others: for `TYPE NAME`. */
  readonly isPrefix: boolean;
  /** Default: for a single object. */
  readonly showEvents: boolean | undefined;
  readonly chunkSize: number;
}

/** An object to describe. */
interface Subject {
  readonly resource: ResourceDescriptor;
  readonly object: KubernetesObject;
}

/** Prints objects in detail, with the events about them. */
export async function describe(options: DescribeOptions, context: CommandContext): Promise<void> {
  const manifests = await readManifests(options.files, context, options);
  await using session = await openSession(options.connection, context, options);
  const finder = new SubjectFinder(session, options, context);
  const targets = await resolveTargets(session, options.targets, context.signal);
  for (const { resource, names } of targets) {
    if (names === undefined) await finder.addAll(resource);
    else for (const name of names) await finder.add(resource, name, session.namespace);
  }
  for (const { apiVersion, kind, metadata } of manifests) {
    const resource = await session.mapper.mapping({ apiVersion, kind }, context);
    await finder.add(resource, metadata.name, metadata.namespace ?? session.namespace);
  }
  const { subjects, failures, isExact, isPrefix } = finder;
  const surroundings = {
    client: new Clientset(session.rest),
    now: context.clock.now(),
    signal: context.signal,
  };
  const withEvents = options.showEvents ?? (isExact && subjects.length === 1);
  for (const [index, subject] of subjects.entries()) {
    const text = await descriptionOf(session, subject, withEvents, surroundings);
    context.stdout.write(isPrefix ? `${text}\n` : `${index === 0 ? '' : '\n\n'}${text}`);
    await context.stdout.drained();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some objects could not be read');
  if (subjects.length > 0) return;
  const where = options.allNamespaces ? '' : ` in ${session.namespace} namespace.`;
  context.err(`No resources found${where}`);
}

/** Reads the objects to describe, and collects errors. */
class SubjectFinder {
  readonly subjects: Subject[] = [];
  readonly failures: unknown[] = [];
  /** False if something could not be read by its full name. */
  isExact = true;
  /** True if the name was the beginning of other names. */
  isPrefix = false;
  readonly #session: Session;
  readonly #options: DescribeOptions;
  readonly #context: CommandContext;

  constructor(session: Session, options: DescribeOptions, context: CommandContext) {
    this.#session = session;
    this.#options = options;
    this.#context = context;
  }

  /** Adds an object, or all whose names begin with this if there is none. */
  async add(resource: ResourceDescriptor, name: string, namespace: string): Promise<void> {
    const { signal } = this.#context;
    try {
      const work = fetchOne(
        this.#session,
        resource,
        name,
        { as: 'objects' },
        { namespace, signal },
      );
      const answer = await withProgress(
        this.#context,
        `Reading ${resource.resource}/${name}`,
        work,
      );
      if ('objects' in answer) this.#addObjects(resource, answer.objects);
    } catch (error) {
      signal.throwIfAborted();
      this.isExact = false;
      const count = this.subjects.length;
      if (this.#options.isPrefix && isNotFound(error)) await this.addAll(resource, name);
      this.isPrefix = this.subjects.length > count;
      if (!this.isPrefix) this.failures.push(error);
    }
  }

  /** Adds all objects that are selected, with names that begin with this. */
  async addAll(resource: ResourceDescriptor, prefix = ''): Promise<void> {
    const { allNamespaces, labelSelector, chunkSize } = this.#options;
    const { signal } = this.#context;
    const namespace = allNamespaces ? '' : this.#session.namespace;
    const query = { namespace, labelSelector, chunkSize, signal };
    try {
      for await (const page of fetchAll(this.#session, resource, { as: 'objects' }, query)) {
        if (!('objects' in page)) continue;
        const named = page.objects.filter(({ metadata }) => metadata?.name?.startsWith(prefix));
        this.#addObjects(resource, named);
      }
    } catch (error) {
      signal.throwIfAborted();
      this.isExact = false;
      this.failures.push(error);
    }
  }

  #addObjects(resource: ResourceDescriptor, objects: readonly KubernetesObject[]): void {
    this.subjects.push(...objects.map((object) => ({ resource, object })));
  }
}

async function descriptionOf(
  session: Session,
  subject: Subject,
  withEvents: boolean,
  surroundings: Surroundings,
): Promise<string> {
  const { resource } = subject;
  const describer = describerFor(resource);
  const object = await inVersion(session, subject, describer, surroundings.signal);
  const lines = await describer.lines(
    describer === genericDescriber ? object : withoutNulls(object),
    surroundings,
  );
  if (!withEvents || !describer.hasEvents) return aligned(lines);
  try {
    const events = await eventsAbout(resource, object, surroundings.client, surroundings.signal);
    if (events.length === 0) return aligned([lines, field('Events', '<none>')]);
    return aligned(lines) + aligned(eventTable(events, surroundings.now));
  } catch (error) {
    surroundings.signal.throwIfAborted();
    return aligned([lines, field('Events', `<unreadable: ${messageOf(error)}>`)]);
  }
}

async function inVersion(
  session: Session,
  { resource, object }: Subject,
  { version = resource.version }: Describer,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  if (version === resource.version) return object;
  const { name = '', namespace = '' } = object.metadata ?? {};
  const wanted = { ...resource, version };
  const shape = { as: 'objects' } as const;
  const answer = await fetchOne(session, wanted, name, shape, { namespace, signal });
  return 'objects' in answer ? (answer.objects[0] ?? object) : object;
}

/** The annotation of a pod that a kubelet runs on its own: its events have this UID. */
const mirrorAnnotation = 'kubernetes.io/config.mirror';

async function eventsAbout(
  { kind }: ResourceDescriptor,
  { metadata = {} }: KubernetesObject,
  client: Clientset,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof eventsFor>>> {
  if (kind === 'Pod') {
    const uid = metadata.annotations?.[mirrorAnnotation] ?? metadata.uid ?? '';
    return await eventsFor(client, { metadata: { ...metadata, uid } }, { signal });
  }
  const events = await eventsFor(client, { kind, metadata }, { signal });
  if (kind !== 'Node') return events;
  // A kubelet does not know the UID of its node, and uses the name.
  const others = { ...metadata, uid: metadata.name ?? '' };
  return [...events, ...(await eventsFor(client, { kind, metadata: others }, { signal }))];
}
