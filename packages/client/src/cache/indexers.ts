/** What an index can be asked for. */
export type IndexValue = boolean | number | string;

/**
 * Returns the values under which an index finds an object: none, one or several. It must depend on
 * nothing but the object, and accept every object of the store.
 */
export type IndexFunc<T, V extends IndexValue = IndexValue> = (object: T) => readonly V[];

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/** No indices: what a store starts with. */
export type NoIndexers = { readonly [Name in never]: never };

/** The names of the indices in `I`. */
export type IndexName<I> = keyof I & string;

/** The type of the values of the index called `N`. */
export type IndexValueOf<I, N extends keyof I> = I[N] extends (
  object: never,
) => readonly (infer V extends IndexValue)[]
  ? V
  : never;

/**
 * The indices of `I` and of `More`, by name. An `I` that admits any name, because others add indices
 * too, gives those that it knows.
 */
export type MoreIndexers<T, I, More extends Indexers<T>> = string extends keyof I
  ? NamedIndexers<I> & More extends infer Known extends Indexers<T>
    ? Known
    : More
  : I & More;

type NamedIndexers<I> = {
  readonly [Name in keyof I as string extends Name ? never : Name]: I[Name];
};
