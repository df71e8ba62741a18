import { checkChoice, checkNumbers, OptionError } from '../lib/option-error.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { AnyDefinition, MappedResource } from './controller-definition.ts';

/** Throws an `OptionError` that names the part of a definition which a controller cannot work with. */
export function checkDefinition(name: string, definition: AnyDefinition): void {
  if (typeof name !== 'string' || name === '') {
    throw new OptionError('name', 'must be a string that is not empty');
  }
  // What plain JavaScript passes may lack anything.
  const given: Partial<AnyDefinition> = definition ?? {};
  const { for: own, reconcile, finalize, finalizer, concurrency, timeoutMs } = given;
  checkResource('for', own);
  if (typeof reconcile !== 'function') throw new OptionError('reconcile', 'must be a function');
  if (finalize !== undefined && finalizer === undefined) {
    throw new OptionError(
      'finalizer',
      'must be given with finalize: a name such as example.com/site',
    );
  }
  if (finalizer !== undefined && !/^[^/]+\/[^/]+$/.test(finalizer)) {
    throw new OptionError('finalizer', 'must have a domain: a name such as example.com/site');
  }
  checkEach('owns', given.owns, checkResource);
  checkEach('watches', given.watches, (at, input: Partial<MappedResource<KubernetesObject>>) => {
    checkResource(at, input);
    if (typeof input.mapTo !== 'function')
      throw new OptionError(`${at}.mapTo`, 'must be a function');
  });
  checkEach('sources', given.sources, (at, source) => {
    if (typeof source === 'function' || Symbol.asyncIterator in Object(source)) return;
    throw new OptionError(at, 'must be an async iterable or a function that returns one');
  });
  checkChoice('ownEvents', given.ownEvents, ['reconcile', 'skip']);
  checkNumbers({ concurrency, timeoutMs }, { concurrency: 'count', timeoutMs: 'duration' });
  if (timeoutMs === 0) throw new OptionError('timeoutMs', '0 would leave no time to reconcile');
}

function checkResource(at: string, input: unknown): void {
  if (typeof input === 'object' && input !== null) return;
  throw new OptionError(at, 'must be the descriptor of a resource');
}

function checkEach<T>(
  option: string,
  values: readonly T[] | undefined,
  check: (at: string, value: T) => void,
): void {
  if (values === undefined) return;
  if (!Array.isArray(values)) throw new OptionError(option, 'must be an array');
  values.forEach((value, index) => check(`${option}[${index}]`, value as T));
}
