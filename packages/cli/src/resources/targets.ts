import { UsageError } from '../frame/usage-error.ts';

/** A kind of object as somebody named it, and perhaps which ones. */
export interface Target {
  /** `pods`, `po`, `Deployment.v1.apps`, or a category such as `all`. */
  readonly type: string;
  /** Undefined: all of them. */
  readonly names: readonly string[] | undefined;
}

/**
 * Reads what kubectl reads: `pods`, `pods,svc`, `pods web-0 web-1`, `pod/web-0 svc/web`. Throws
 * {@link UsageError} for anything else.
 */
export function parseTargets(args: readonly string[]): Target[] {
  const [first, ...names] = args;
  if (first === undefined) {
    throw new UsageError('name a kind of object; client-ts api-resources shows them');
  }
  if (first.includes('/')) return pairTargets(args);
  const stray = names.find((name) => name.includes('/'));
  if (stray !== undefined) {
    throw new UsageError(`${stray} names its kind already, so ${first} is too much before it`);
  }
  const types = first.split(',').filter((type) => type !== '');
  if (types.length === 0) throw new UsageError('name a kind of object before the comma');
  if (names.length > 0 && types.length > 1) {
    throw new UsageError(`names go with one kind: write ${types[0]}/${names[0]}, and so on`);
  }
  return types.map((type) => ({ type, names: names.length === 0 ? undefined : names }));
}

/** What follows each other and is of one kind is one target, so that it comes in one table. */
function pairTargets(args: readonly string[]): Target[] {
  const targets: { readonly type: string; readonly names: string[] }[] = [];
  for (const arg of args) {
    const [type = '', name = '', rest] = arg.split('/');
    if (type === '' || name === '' || rest !== undefined) {
      throw new UsageError(`${arg} must be KIND/NAME, as all words are if one of them is`);
    }
    const last = targets.at(-1);
    if (last?.type === type) last.names.push(name);
    else targets.push({ type, names: [name] });
  }
  return targets;
}
