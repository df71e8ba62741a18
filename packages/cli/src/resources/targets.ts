import { UsageError } from '../frame/usage-error.ts';

/** A resource type and names, as given on the command line. */
export interface Target {
  /** `pods`, `po`, `Deployment.v1.apps`, or a category such as `all`. */
  readonly type: string;
  /** Undefined: all objects. */
  readonly names: readonly string[] | undefined;
}

/**
 * Parses kubectl's forms: `pods`, `pods,svc`, `pods web-0 web-1`, `pod/web-0 svc/web`. Throws
 * {@link UsageError}.
 */
export function parseTargets(args: readonly string[]): Target[] {
  const [first, ...names] = args;
  if (first === undefined) {
    throw new UsageError('a resource type is required; client-ts api-resources lists them');
  }
  if (first.includes('/')) return pairTargets(args);
  const stray = names.find((name) => name.includes('/'));
  if (stray !== undefined) {
    throw new UsageError(`${stray} cannot be combined with the type ${first}`);
  }
  const types = first.split(',').filter((type) => type !== '');
  if (types.length === 0) throw new UsageError('a resource type is required before the comma');
  if (names.length > 0 && types.length > 1) {
    throw new UsageError(`names require a single type: write ${types[0]}/${names[0]}, …`);
  }
  return types.map((type) => ({ type, names: names.length === 0 ? undefined : names }));
}

/** Adjacent targets of one type are merged, so that they share a table. */
function pairTargets(args: readonly string[]): Target[] {
  const targets: { readonly type: string; readonly names: string[] }[] = [];
  for (const arg of args) {
    const [type = '', name = '', rest] = arg.split('/');
    if (type === '' || name === '' || rest !== undefined) {
      throw new UsageError(`${arg} must be TYPE/NAME, like the other arguments`);
    }
    const last = targets.at(-1);
    if (last?.type === type) last.names.push(name);
    else targets.push({ type, names: [name] });
  }
  return targets;
}
