import { ClientError } from 'client-ts/internal';

/** A bound of a slice; undefined is open. */
export interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  /** True for `[3]`, which is one element, and in particular for `[-1]`. */
  readonly isIndex: boolean;
}

/** One step of a path: takes values, gives values. */
export type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'union'; readonly paths: readonly Path[] }
  | {
      readonly type: 'filter';
      readonly left: Path;
      /** Undefined for `exists`. */
      readonly right: Path | undefined;
      /** `exists`, or as written; what is no comparison is refused when it is used. */
      readonly operator: string;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number'; readonly value: number; readonly isFloat: boolean }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** `range`, `end`, and every other word, which is refused when it is used. */
  | { readonly type: 'word'; readonly word: string };

/** Steps, one after the other. */
export type Path = readonly Step[];

/** What stands in braces, and the text between. */
export type Part =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'action'; readonly path: Path };

/** A template that cannot be read, or that does not fit the object. In the words of kubectl. */
export class JsonPathError extends ClientError {
  override readonly name: string = 'JsonPathError';

  constructor(message: string) {
    super('JSONPATH_INVALID', message, { hint: 'Check the JSONPath template.' });
  }
}
