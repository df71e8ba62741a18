/** One version of an object, as a client sees it. */
export interface Version {
  readonly uid: string;
  readonly revision: number;
  /** What its last writer put into it; unique for every write. */
  readonly text: string;
}

/** A write whose answer has not come: the new text, or undefined for a deletion. */
interface Attempt {
  readonly text: string | undefined;
}

interface Key {
  /** The last version that was acknowledged; undefined if there is no object. */
  known: Version | undefined;
  attempt: Attempt | undefined;
  /** The newest version that any read has shown; undefined content for a deletion. */
  seen: { readonly revision: number; readonly text: string | undefined } | undefined;
}

/**
 * What the clients of a server know: writes that were acknowledged, writes with an unknown outcome,
 * and what reads and watches have shown. Each key has one writer, so at most one write of it is
 * open.
 */
export class Ledger {
  readonly #keys = new Map<string, Key>();
  /** What was shown at each revision: no revision may ever have two contents. */
  readonly #contents = new Map<number, string>();
  readonly faults: string[] = [];
  acknowledged = 0;
  /** Writes whose connection broke before the answer. */
  unknown = 0;
  /** Those of them that the server had kept. */
  unknownKept = 0;
  observations = 0;
  newestRevision = 0;

  known(key: string): Version | undefined {
    return this.#key(key).known;
  }

  begin(key: string, text: string | undefined): void {
    this.#key(key).attempt = { text };
  }

  /** Undefined for a deletion. */
  acknowledge(key: string, version: Version | undefined): void {
    const state = this.#key(key);
    state.known = version;
    state.attempt = undefined;
    this.acknowledged++;
    if (version !== undefined) this.observe(key, version.revision, version.text);
  }

  /** A read or watch has shown a version; undefined text for a deletion. */
  observe(key: string, revision: number, text: string | undefined): void {
    const state = this.#key(key);
    this.observations++;
    this.newestRevision = Math.max(this.newestRevision, revision);
    const content = `${key} ${text ?? 'deleted'}`;
    const before = this.#contents.get(revision) ?? content;
    this.#contents.set(revision, before);
    if (before !== content) {
      this.faults.push(`revision ${revision} is ${content}, and was ${before}`);
    }
    if (revision > (state.seen?.revision ?? 0)) state.seen = { revision, text };
  }

  /** Compares all objects of a server that was started again. Its state is the truth afterwards. */
  audit(objects: ReadonlyMap<string, Version>, revision: number): void {
    if (revision < this.newestRevision) {
      this.faults.push(`the server is at ${revision}; it has shown ${this.newestRevision}`);
    }
    for (const key of objects.keys()) {
      if (!this.#keys.has(key)) this.faults.push(`${key} was never written`);
    }
    for (const [key, state] of this.#keys) {
      const found = objects.get(key);
      this.#compare(key, state, found);
      if (found !== undefined) this.observe(key, found.revision, found.text);
      state.known = found;
      state.attempt = undefined;
    }
  }

  #compare(key: string, { known, attempt, seen }: Key, found: Version | undefined): void {
    if (attempt !== undefined) this.unknown++;
    const isKnown = found?.revision === known?.revision && found?.text === known?.text;
    if (isKnown && found?.uid !== known?.uid) this.faults.push(`${key} has another uid`);
    if (!isKnown) {
      if (attempt !== undefined && isOutcome(attempt, known, found)) this.unknownKept++;
      else this.faults.push(`${key} is ${inWords(found)}; acknowledged was ${inWords(known)}`);
    }
    if (seen === undefined) return;
    const isThere =
      found === undefined
        ? seen.text === undefined || isDeleted(seen.text, known, attempt)
        : found.revision >= seen.revision;
    if (!isThere) {
      this.faults.push(
        `${key} was seen at ${seen.revision} as ${seen.text ?? 'deleted'}, and is ${inWords(found)}`,
      );
    }
  }

  #key(key: string): Key {
    let state = this.#keys.get(key);
    if (state === undefined) {
      state = { known: undefined, attempt: undefined, seen: undefined };
      this.#keys.set(key, state);
    }
    return state;
  }
}

/** Returns true if an object is what an unanswered write has made of the acknowledged one. */
function isOutcome(
  { text }: Attempt,
  known: Version | undefined,
  found: Version | undefined,
): boolean {
  if (found === undefined) return text === undefined;
  if (found.text !== text) return false;
  return known === undefined || (found.uid === known.uid && found.revision > known.revision);
}

/** Returns true if a deletion explains why a version that was seen is gone. */
function isDeleted(
  seen: string,
  known: Version | undefined,
  attempt: Attempt | undefined,
): boolean {
  if (attempt !== undefined && attempt.text === undefined) return true;
  return known === undefined && seen !== attempt?.text;
}

function inWords(version: Version | undefined): string {
  return version === undefined ? 'absent' : `"${version.text}" at ${version.revision}`;
}
