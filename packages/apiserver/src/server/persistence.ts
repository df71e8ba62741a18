import { randomBytes } from 'node:crypto';
import { type Clock, OptionError, systemClock } from 'client-ts/internal';

import { type CertificateAndKey, CertificateAuthority } from '../auth/certificates.ts';
import { generateServiceAccountKey } from '../auth/service-account-tokens.ts';
import { builtIns } from '../registry/built-ins.ts';
import type { BuiltIns } from '../registry/catalog.ts';
import type { RuntimeConfig } from '../registry/runtime-config.ts';
import { loadModel } from '../schema/model.ts';
import {
  checkKubernetesVersion,
  DEFAULT_VERSION,
  type KubernetesVersion,
} from '../schema/release.ts';
import type { DurableStore, StoredState } from '../store/durable-store.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { RELEASE, upgradeState } from './upgrade.ts';

/** Where a server keeps its state. Without these options it is lost when the server stops. */
export interface PersistenceOptions {
  /**
   * A directory for the state of the server, created if it does not exist: objects, history,
   * certificate authority, keys and the administrator's token. A server that is started with it
   * later continues where this one ended, also after a crash. It may have a newer
   * `kubernetesVersion`, which upgrades the objects, not an older one. Needs Node 22.16.
   *
   * Every acknowledged write is on the disk, and no client sees a write before it is. One server
   * can use a directory at a time. It holds private keys: only its owner can read it.
   */
  readonly data?: string | undefined;
  /** Keeps the state in another place than a directory. */
  readonly store?: DurableStore | undefined;
}

/** What the clients of a server know it by. */
export interface Identity {
  readonly authority: CertificateAndKey;
  /** The key that signs service account tokens, as PEM. */
  readonly serviceAccountKey: string;
  /** The administrator's bearer token. */
  readonly token: string;
}

/** The state of a server that outlives it. */
export interface Persistence {
  readonly store: Store;
  readonly identity: Identity;
}

interface OpenOptions extends PersistenceOptions {
  readonly kubernetesVersion?: KubernetesVersion | undefined;
  readonly runtimeConfig?: RuntimeConfig | undefined;
  readonly historyLimit?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly onError: (error: unknown) => void;
}

/** Opens the data directory or the injected store; undefined if there is neither. */
export async function openPersistence(options: OpenOptions): Promise<Persistence | undefined> {
  const { data, store: injected, historyLimit, clock, onError, runtimeConfig } = options;
  const { kubernetesVersion: version = DEFAULT_VERSION } = options;
  checkKubernetesVersion(version);
  if (data !== undefined && injected !== undefined) {
    throw new OptionError('store', 'cannot be combined with data');
  }
  const durable = injected ?? (data === undefined ? undefined : new SqliteStore(data));
  if (durable === undefined) return undefined;
  const opened = await durable.open();
  try {
    const resources = (): BuiltIns => builtIns(loadModel(version), runtimeConfig);
    const state = await upgradeState(durable, opened, { version, builtIns: resources });
    const identity = await continueIdentity(durable, state, version);
    const settings = { historyLimit, clock, onListenerError: onError };
    return { identity, store: await MemoryStore.open(durable, state, settings) };
  } catch (error) {
    await durable.close();
    throw error;
  }
}

/** Returns the identity that is stored. The first server of a store makes and stores one. */
async function continueIdentity(
  durable: DurableStore,
  { settings: stored }: StoredState,
  version: KubernetesVersion,
): Promise<Identity> {
  const isNew = stored['ca.key'] === undefined;
  const settings = isNew ? { ...(await newSettings()), [RELEASE]: version } : stored;
  if (settings !== stored) await durable.commit({ revisions: [], compactions: [], settings });
  return {
    authority: { certificate: settings['ca.crt'] ?? '', key: settings['ca.key'] ?? '' },
    serviceAccountKey: settings['sa.key'] ?? '',
    token: settings['token'] ?? '',
  };
}

async function newSettings(): Promise<Readonly<Record<string, string>>> {
  const { certificate, key } = new CertificateAuthority({ clock: systemClock }).exportKey();
  return {
    'ca.crt': certificate,
    'ca.key': key,
    'sa.key': await generateServiceAccountKey(),
    token: randomBytes(24).toString('base64url'),
  };
}
