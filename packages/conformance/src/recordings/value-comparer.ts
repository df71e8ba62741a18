import { isJsonObject, type JsonObject, getKey } from 'client-ts/internal';
import { type Difference, difference } from './difference.ts';
import type { RecordedExchange, Recording } from './format.ts';
import { Identities } from './identity.ts';
import { inOwnOrder, managersSideBySide, withWalksInOrder } from './order.ts';
import { type PointerPattern, pointerPattern } from '../json/pointer.ts';
import { isReworded, type TextNormaliser, textNormaliser, withoutDescriptions } from './text.ts';
import { compareVolatile } from './volatile.ts';

/**
 * Compares JSON values of this run with recorded ones, exchange by exchange: it knows what may
 * differ, and which uid and resourceVersion of this run corresponds to which recorded one.
 */
export class ValueComparer {
  readonly #identities = new Identities();
  readonly #volatile: readonly PointerPattern[];
  readonly #normalise: TextNormaliser;
  readonly #creationTimes = new Map<string, { recorded: string; own: string; uid: unknown }>();
  #exchangeVolatile: readonly PointerPattern[] = [];
  #unordered: readonly PointerPattern[] = [];
  #pinned: ReadonlyMap<string, string> = new Map();
  #inBookmark = false;
  #differences: Difference[] = [];

  constructor(recording: Recording, now: number) {
    this.#volatile = recording.volatile.map(pointerPattern);
    this.#normalise = textNormaliser(recording.volatileText, now);
    for (const uid of clientUids(recording)) this.#identities.fix('uid', uid);
  }

  /**
   * Starts the next exchange. `pinned` maps the list versions that its request asked for: recorded
   * value to own value.
   */
  begin(exchange: RecordedExchange, pinned: ReadonlyMap<string, string>): void {
    this.#exchangeVolatile = (exchange.volatile ?? []).map(pointerPattern);
    this.#unordered = (exchange.unordered ?? []).map(pointerPattern);
    this.#pinned = pinned;
    this.#differences = [];
  }

  /** Ends the exchange and returns its differences. */
  end(): Difference[] {
    this.#identities.settle();
    return this.#differences;
  }

  /** Adds a difference that the caller has found. */
  report(found: Difference): void {
    this.#differences.push(found);
  }

  /** Compares two frames of a watch; the resourceVersion of a bookmark is that of the store. */
  compareFrame(
    steps: readonly string[],
    recorded: JsonObject | undefined,
    own: JsonObject | undefined,
  ): void {
    this.#inBookmark = recorded?.['type'] === 'BOOKMARK';
    this.compare(steps, recorded, own);
    this.#inBookmark = false;
  }

  /** Compares two JSON values; `undefined` is an absent value. */
  compare(steps: readonly string[], recorded: unknown, own: unknown): void {
    if (isReworded(steps, recorded)) {
      if (typeof own !== 'string') this.report(difference(steps, recorded, own, 'a text'));
    } else if (this.#isVolatile(steps)) {
      const wanted = compareVolatile(steps, recorded, own, this.#identities);
      if (wanted !== undefined) this.report(difference(steps, recorded, own, wanted));
    } else if (Array.isArray(recorded) && Array.isArray(own)) {
      this.#compareArrays(steps, recorded, own);
    } else if (isJsonObject(recorded) && isJsonObject(own)) {
      this.#compareObjects(steps, recorded, own);
    } else if (typeof recorded === 'string' && typeof own === 'string') {
      this.#compareText(steps, recorded, own);
    } else if (recorded !== own) {
      this.report(difference(steps, recorded, own));
    }
  }

  #isVolatile(steps: readonly string[]): boolean {
    return (
      this.#volatile.some((matches) => matches(steps)) ||
      this.#exchangeVolatile.some((matches) => matches(steps))
    );
  }

  #compareText(steps: readonly string[], recorded: string, own: string): void {
    const expected = this.#normalise(withoutDescriptions(recorded), 'recorded');
    const got = this.#normalise(withoutDescriptions(own), 'own');
    if (expected.text !== got.text) {
      this.report(difference(steps, expected.text, got.text));
      return;
    }
    for (const [index, uid] of expected.uids.entries()) {
      const wanted = this.#identities.check('uid', uid, got.uids[index] ?? '');
      if (wanted !== undefined) this.report(difference(steps, recorded, own, wanted));
    }
  }

  #compareObjects(steps: readonly string[], recorded: JsonObject, own: JsonObject): void {
    const recordedInOrder = withWalksInOrder(recorded);
    const ownInOrder = withWalksInOrder(own);
    const ordered = recordedInOrder !== undefined && ownInOrder !== undefined;
    const expected = ordered ? recordedInOrder : recorded;
    const got = ordered ? ownInOrder : own;
    this.#compareVersions(steps, expected, got);
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      if (key === 'resourceVersion' && steps.at(-1) === 'metadata') continue;
      this.compare([...steps, key], getKey(expected, key), getKey(got, key));
    }
    this.#compareCreationTimes([...steps, 'metadata'], expected, got);
  }

  #compareArrays(
    steps: readonly string[],
    recorded: readonly unknown[],
    own: readonly unknown[],
  ): void {
    if (steps.at(-1) === 'managedFields') {
      const pairs = managersSideBySide(recorded, own);
      for (const [index, [expected, got]] of pairs.entries()) {
        this.compare([...steps, String(index)], expected, got);
      }
      return;
    }
    const unordered = this.#unordered.some((matches) => matches(steps));
    const expected = unordered ? inOwnOrder(recorded) : recorded;
    const got = unordered ? inOwnOrder(own) : own;
    for (let index = 0; index < Math.max(expected.length, got.length); index++) {
      this.compare([...steps, String(index)], expected[index], got[index]);
    }
  }

  /**
   * Compares `metadata.resourceVersion`. That of an object is compared by identity; that of a list,
   * Table or bookmark belongs to the store and changes by itself, unless the request has pinned it.
   */
  #compareVersions(steps: readonly string[], recorded: JsonObject, own: JsonObject): void {
    if (!isJsonObject(recorded['metadata']) || !isJsonObject(own['metadata'])) return;
    const expected = recorded['metadata']['resourceVersion'];
    const got = own['metadata']['resourceVersion'];
    const wanted = this.#wrongVersion(expected, got, this.#inBookmark || isOfTheStore(recorded));
    if (wanted === undefined) return;
    this.report(difference([...steps, 'metadata', 'resourceVersion'], expected, got, wanted));
  }

  #wrongVersion(expected: unknown, got: unknown, ofTheStore: boolean): string | undefined {
    if (typeof expected !== 'string' || typeof got !== 'string' || expected === '') {
      return expected === got ? undefined : 'present in both or in neither';
    }
    if (!/^\d+$/.test(got)) return 'a decimal number';
    if (!ofTheStore) return this.#identities.check('resourceVersion', expected, got);
    const pinned = this.#pinned.get(expected) ?? got;
    return pinned === got ? undefined : `the version asked for, ${pinned}`;
  }

  /** A creationTimestamp may be any time, but an object keeps its own. */
  #compareCreationTimes(
    steps: readonly string[],
    { kind, metadata: recorded }: JsonObject,
    { metadata: own }: JsonObject,
  ): void {
    // A TokenRequest has the uid of its service account and the time of the request.
    if (!isJsonObject(recorded) || !isJsonObject(own) || kind === 'TokenRequest') return;
    const { uid } = recorded;
    const recordedTime = recorded['creationTimestamp'];
    const ownTime = own['creationTimestamp'];
    if (typeof uid !== 'string' || typeof recordedTime !== 'string') return;
    if (typeof ownTime !== 'string') return;
    const before = this.#creationTimes.get(uid);
    // A wrong uid is reported itself; the time of another object follows from that.
    const isSame = before?.recorded === recordedTime && before.uid === own['uid'];
    if (isSame && before.own !== ownTime) {
      const path = [...steps, 'creationTimestamp'];
      this.report(difference(path, recordedTime, ownTime, `unchanged, ${before.own}`));
    }
    this.#creationTimes.set(uid, { recorded: recordedTime, own: ownTime, uid: own['uid'] });
  }
}

/** Returns uids that the client sent, which are therefore the same in every run. */
function clientUids(recording: Recording): Set<string> {
  const uids = new Set<string>();
  for (const { request } of recording.exchanges) {
    const fromAnswers = new Set(request.refs?.map((ref) => ref.value));
    const text = `${request.path} ${JSON.stringify(request.body ?? '')}`;
    for (const [uid] of text.matchAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) {
      if (!fromAnswers.has(uid)) uids.add(uid);
    }
  }
  return uids;
}

/** True for a list or Table, whole or summarised. */
function isOfTheStore(owner: JsonObject): boolean {
  const { kind } = owner;
  return (
    ['items', 'rows', 'names'].some((key) => getKey(owner, key) !== undefined) ||
    (typeof kind === 'string' && (kind.endsWith('List') || kind === 'Table'))
  );
}
