/** A promise with the functions that settle it. Only the first call counts. */
export class Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly resolve: (value: PromiseLike<T> | T) => void;
  readonly reject: (reason: unknown) => void;

  constructor() {
    let settle: Pick<Deferred<T>, 'reject' | 'resolve'> | undefined;
    this.promise = new Promise<T>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // The Promise constructor calls the executor synchronously.
    ({ resolve: this.resolve, reject: this.reject } = settle as NonNullable<typeof settle>);
  }
}
