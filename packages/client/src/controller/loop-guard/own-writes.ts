import { isBeingDeleted } from '../../meta/object.ts';
import type { AcceptedWrite } from '../write-tracker.ts';

/** More than the events that are under way at one time. */
const LIMIT = 10_000;

/** The versions that a controller has written, and what it has deleted. The oldest are forgotten. */
export class OwnWrites {
  readonly #written = new Set<string>();

  /** Records a write of an object. Returns false if the version is known: the write had no effect. */
  add(
    object: string,
    { write, before, version }: Pick<AcceptedWrite, 'write' | 'before' | 'version'>,
  ): boolean {
    const isDeletion = write.verb === 'delete' && write.subresource === '';
    if (isDeletion && (before === undefined || !isBeingDeleted(before))) this.#add(object);
    return this.#add(`${object} ${version}`);
  }

  has(object: string, version: string): boolean {
    return this.#written.has(`${object} ${version}`);
  }

  hasDeletion(object: string): boolean {
    return this.#written.has(object);
  }

  #add(entry: string): boolean {
    if (this.#written.has(entry)) return false;
    this.#written.add(entry);
    if (this.#written.size <= LIMIT) return true;
    const [oldest = ''] = this.#written;
    this.#written.delete(oldest);
    return true;
  }
}
