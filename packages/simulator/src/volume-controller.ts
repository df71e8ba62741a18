import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
} from 'client-ts/api/core/v1';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import { enqueueRequestForObject, enqueueRequestsFromMapFunc } from 'client-ts/controller';
import { jsonEqual } from 'client-ts/internal';
import { isNotFound } from 'client-ts/meta';
import { getReference } from 'client-ts/record';
import type { MergePatch } from 'client-ts/rest';
import { RateLimitingQueue } from 'client-ts/workqueue';

import type { CachedClaim, CachedVolume, Cluster, SimulatedController } from './cluster.ts';
import type { VolumeCache } from './volume-cache.ts';
import { classOf, findVolume, isReservedFor, misfitOf } from './volume-match.ts';
import { claimsOf } from './volume-protection.ts';

const bindCompleted = 'pv.kubernetes.io/bind-completed';
const boundByController = 'pv.kubernetes.io/bound-by-controller';

/** In metrics, diagnostics and messages. */
const CLAIMS = 'claims';
const VOLUMES = 'volumes';

/**
 * Binds claims to volumes that exist, and keeps the phases of both. Nothing is provisioned: a claim
 * that no volume fits stays pending, and a released volume stays until it is deleted. With a class
 * that waits for the first consumer, a claim is bound when a pod that uses it is scheduled.
 */
export function volumeControllers(
  cluster: Cluster,
  volumeCache: VolumeCache,
): SimulatedController[] {
  const binder = new Binder(cluster, volumeCache);
  const { cache, clock } = cluster;
  const { volumes, storageClasses } = volumeCache;
  const claimQueue = new RateLimitingQueue<string>({ name: CLAIMS, clock });
  const volumeQueue = new RateLimitingQueue<string>({ name: VOLUMES, clock });
  const waitingClaims = (): CachedClaim[] =>
    cache.claims.lister.list().filter((claim) => !isBound(claim));

  cache.claims.informer.addEventHandler(enqueueRequestForObject(claimQueue), { name: CLAIMS });
  cache.pods.informer.addEventHandler(
    enqueueRequestsFromMapFunc(claimQueue, (pod) =>
      claimsOf(pod).map((name) => `${pod.metadata.namespace}/${name}`),
    ),
    { name: CLAIMS },
  );
  volumes.informer.addEventHandler(
    enqueueRequestsFromMapFunc(claimQueue, ({ metadata, spec }) => [
      ...(spec?.claimRef === undefined ? [] : [`${spec.claimRef.namespace}/${spec.claimRef.name}`]),
      ...cache.claims.lister
        .list()
        .filter((claim) => !isBound(claim) || claim.spec?.volumeName === metadata.name)
        .map(metaNamespaceKeyFunc),
    ]),
    { name: CLAIMS },
  );
  storageClasses.informer.addEventHandler(
    enqueueRequestsFromMapFunc(claimQueue, () => waitingClaims().map(metaNamespaceKeyFunc)),
    { name: CLAIMS },
  );
  volumes.informer.addEventHandler(enqueueRequestForObject(volumeQueue), { name: VOLUMES });
  cache.claims.informer.addEventHandler(
    enqueueRequestsFromMapFunc(volumeQueue, ({ metadata }) =>
      volumes.lister
        .list()
        .filter(
          ({ spec }) =>
            spec?.claimRef?.name === metadata.name &&
            spec.claimRef.namespace === metadata.namespace,
        )
        .map((volume) => volume.metadata.name),
    ),
    { name: VOLUMES },
  );
  return [
    {
      name: CLAIMS,
      queue: claimQueue,
      reconcile: async (key, { signal }) => await binder.syncClaim(key, signal),
    },
    {
      name: VOLUMES,
      queue: volumeQueue,
      reconcile: async (name, { signal }) => await binder.syncVolume(name, signal),
    },
  ];
}

function isBound({ metadata }: CachedClaim): boolean {
  return metadata.annotations?.[bindCompleted] !== undefined;
}

/** An event about a claim: its type, reason and message. */
type Notice = readonly ['Normal' | 'Warning', string, string];

/** What becomes of a claim: it gets a volume, or has a phase without one. */
type Verdict =
  | { readonly volume: CachedVolume }
  | { readonly phase: 'Lost' | 'Pending'; readonly notice?: Notice };

/** What the two controllers do. Every write names the version that it is based on. */
class Binder {
  readonly #cluster: Cluster;
  readonly #cache: VolumeCache;

  constructor(cluster: Cluster, cache: VolumeCache) {
    this.#cluster = cluster;
    this.#cache = cache;
  }

  async syncClaim(key: string, signal: AbortSignal): Promise<void> {
    const { namespace, name } = splitMetaNamespaceKey(key);
    const claim = this.#cluster.cache.claims.lister.namespace(namespace).find(name);
    if (claim === undefined) return;
    const verdict = this.#judge(claim);
    if ('volume' in verdict) {
      await this.#bind(verdict.volume, claim, signal);
      return;
    }
    const { phase, notice } = verdict;
    if (notice !== undefined && (phase === 'Pending' || claim.status?.phase !== phase)) {
      const recorder = this.#cluster.recorders.of('persistentvolume-controller');
      recorder.event(getReference(claim, { descriptor: persistentVolumeClaims }), ...notice);
    }
    const none = { accessModes: null, capacity: null, currentVolumeAttributesClassName: null };
    const isClean = claim.status?.capacity === undefined && claim.status?.accessModes === undefined;
    if (claim.status?.phase !== phase || !isClean) {
      await this.#patchClaim(
        claim,
        { status: { phase, ...none } },
        { subresource: 'status', signal },
      );
    }
  }

  async syncVolume(name: string, signal: AbortSignal): Promise<void> {
    const volume = this.#cache.volumes.lister.find(name);
    if (volume === undefined) return;
    const { claimRef: ref } = volume.spec ?? {};
    const claim = ref?.uid === undefined ? undefined : await this.#claimOf(ref, signal);
    if (ref?.uid === undefined) await this.#setPhase(volume, 'Available', signal);
    else if (claim?.metadata.uid !== ref.uid) await this.#setPhase(volume, 'Released', signal);
    else if (claim.spec?.volumeName === name) await this.#setPhase(volume, 'Bound', signal);
    else if (claim.spec?.volumeName !== undefined) await this.#unbind(volume, signal);
  }

  #judge(claim: CachedClaim): Verdict {
    const { volumeName } = claim.spec ?? {};
    const volume =
      volumeName === undefined ? undefined : this.#cache.volumes.lister.find(volumeName);
    if (isBound(claim)) return judgeBound(claim, volume);
    return volumeName === undefined
      ? this.#search(claim)
      : volume === undefined
        ? { phase: 'Pending' }
        : judgeNamed(claim, volume);
  }

  /** Looks for a volume for a claim that names none. */
  #search(claim: CachedClaim): Verdict {
    const all = this.#cache.volumes.lister.list();
    const isEarly = this.#waitsForConsumer(claim);
    const volume = findVolume(
      claim,
      isEarly ? all.filter((one) => isReservedFor(one, claim)) : all,
    );
    if (volume !== undefined) return { volume };
    if (isEarly) {
      const message = 'waiting for first consumer to be created before binding';
      return { phase: 'Pending', notice: ['Normal', 'WaitForFirstConsumer', message] };
    }
    if (classOf(claim) !== '') return { phase: 'Pending' };
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return { phase: 'Pending', notice: ['Normal', 'FailedBinding', message] };
  }

  #waitsForConsumer(claim: CachedClaim): boolean {
    const { name, namespace = '' } = claim.metadata;
    const storageClass = this.#cache.storageClasses.lister.find(classOf(claim));
    if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return false;
    const pods = this.#cluster.cache.pods.lister.namespace(namespace).list();
    return !pods.some((pod) => pod.spec?.nodeName !== undefined && claimsOf(pod).includes(name));
  }

  /** The cached claim may be older than the volume, and a volume is released only once. */
  async #claimOf(ref: ClaimReference, signal: AbortSignal) {
    const { namespace = '', name = '' } = ref;
    const claims = this.#cluster.client.coreV1.persistentVolumeClaims(namespace);
    return await claims.get(name, { signal }).catch(ignoreNotFound);
  }

  /** Binds a volume to a claim, then the claim to the volume; what is done already is left out. */
  async #bind(volume: CachedVolume, claim: CachedClaim, signal: AbortSignal): Promise<void> {
    const { name } = volume.metadata;
    let boundVolume: CachedVolume | undefined = volume;
    if (volume.spec?.claimRef?.uid !== claim.metadata.uid) {
      const annotations = isReservedFor(volume, claim) ? {} : { [boundByController]: 'yes' };
      const claimRef = getReference(claim, { descriptor: persistentVolumeClaims });
      const body = { metadata: { annotations }, spec: { claimRef } };
      boundVolume = await this.#patchVolume(volume, body, { signal });
    }
    if (boundVolume === undefined) return;
    await this.#setPhase(boundVolume, 'Bound', signal);
    let boundClaim: CachedClaim | undefined = claim;
    const isChosen = claim.spec?.volumeName !== name;
    if (isChosen || !isBound(claim)) {
      const annotations = {
        [bindCompleted]: 'yes',
        ...(isChosen && { [boundByController]: 'yes' }),
      };
      const body = { metadata: { annotations }, spec: { volumeName: name } };
      boundClaim = await this.#patchClaim(claim, body, { signal });
    }
    const status = boundClaim && boundStatus(volume, boundClaim);
    if (boundClaim === undefined || status === undefined) return;
    await this.#patchClaim(boundClaim, { status }, { subresource: 'status', signal });
  }

  /** Takes back a binding to a claim that has got another volume. */
  async #unbind(volume: CachedVolume, signal: AbortSignal): Promise<void> {
    const isOurs = volume.metadata.annotations?.[boundByController] !== undefined;
    const body = isOurs
      ? { metadata: { annotations: { [boundByController]: null } }, spec: { claimRef: null } }
      : { spec: { claimRef: { uid: null } } };
    const free = await this.#patchVolume(volume, body, { signal });
    if (free !== undefined) await this.#setPhase(free, 'Available', signal);
  }

  async #setPhase(volume: CachedVolume, phase: VolumePhase, signal: AbortSignal): Promise<void> {
    if (volume.status?.phase === phase) return;
    await this.#patchVolume(volume, { status: { phase } }, { subresource: 'status', signal });
  }

  /** Returns the changed volume; undefined if it is gone. */
  async #patchVolume(
    { metadata: { name, resourceVersion } }: CachedVolume,
    body: MergePatch<PersistentVolume>,
    options: PatchTarget,
  ): Promise<CachedVolume | undefined> {
    const patch = { ...body, metadata: { ...body.metadata, resourceVersion } };
    const volumes = this.#cluster.client.coreV1.persistentVolumes();
    return await volumes.patch(name, patch, { type: 'merge', ...options }).catch(ignoreNotFound);
  }

  /** Returns the changed claim; undefined if it is gone. */
  async #patchClaim(
    { metadata: { name, namespace = '', resourceVersion } }: CachedClaim,
    body: MergePatch<PersistentVolumeClaim>,
    options: PatchTarget,
  ): Promise<CachedClaim | undefined> {
    const patch = { ...body, metadata: { ...body.metadata, resourceVersion } };
    const claims = this.#cluster.client.coreV1.persistentVolumeClaims(namespace);
    return await claims.patch(name, patch, { type: 'merge', ...options }).catch(ignoreNotFound);
  }
}

interface PatchTarget {
  readonly subresource?: 'status';
  readonly signal: AbortSignal;
}

type ClaimReference = NonNullable<NonNullable<CachedVolume['spec']>['claimRef']>;
type VolumePhase = 'Available' | 'Bound' | 'Released';

/** A claim that has been bound keeps its volume, or is lost. */
function judgeBound(claim: CachedClaim, volume: CachedVolume | undefined): Verdict {
  const { claimRef: ref } = volume?.spec ?? {};
  if (volume !== undefined && (ref === undefined || ref.uid === claim.metadata.uid)) {
    return { volume };
  }
  const [reason, message] =
    volume !== undefined
      ? ['ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly']
      : claim.spec?.volumeName === undefined
        ? [
            'ClaimLost',
            'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
          ]
        : ['ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!'];
  return { phase: 'Lost', notice: ['Warning', reason, message] };
}

/** A claim gets the volume that it names, unless that is taken or does not fit. */
function judgeNamed(claim: CachedClaim, volume: CachedVolume): Verdict {
  if (isReservedFor(volume, claim)) return { volume };
  const { name } = volume.metadata;
  if (volume.spec?.claimRef !== undefined) {
    const message = `volume "${name}" already bound to a different claim.`;
    return { phase: 'Pending', notice: ['Warning', 'FailedBinding', message] };
  }
  const misfit = misfitOf(volume, claim);
  if (misfit === undefined) return { volume };
  const message = `Cannot bind to requested volume "${name}": ${misfit}`;
  return { phase: 'Pending', notice: ['Warning', 'VolumeMismatch', message] };
}

/** Returns the status of a claim that has a volume; undefined if it has that already. */
function boundStatus(
  { spec }: CachedVolume,
  { status }: CachedClaim,
): MergePatch<PersistentVolumeClaim>['status'] | undefined {
  const { accessModes = [], capacity = {}, volumeAttributesClassName: attributes } = spec ?? {};
  const isNew = status?.phase !== 'Bound';
  if (!isNew && jsonEqual(status.accessModes ?? [], accessModes)) return undefined;
  return {
    phase: 'Bound',
    accessModes: [...accessModes],
    ...(isNew && { capacity: { ...capacity } }),
    ...(isNew && attributes !== undefined && { currentVolumeAttributesClassName: attributes }),
  };
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
