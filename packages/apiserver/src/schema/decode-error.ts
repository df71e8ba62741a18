interface GoField {
  readonly structure: string;
  readonly path: readonly string[];
}

interface TypeMismatch extends GoField {
  readonly found: string;
  readonly type: string;
}

/**
 * A body that does not fit its type. The message is the one of the real server, without the words
 * about the request that stand before it.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly #mismatch: TypeMismatch | undefined;

  constructor(message: string, mismatch?: TypeMismatch) {
    super(message);
    this.#mismatch = mismatch;
  }

  /** A value of another type than the field's. */
  static ofType(found: string, type: string, { structure, path }: GoField): DecodeError {
    const target = structure === '' ? 'Go value' : `Go struct field ${structure}.${path.join('.')}`;
    const message = `json: cannot unmarshal ${found} into ${target} of type ${type}`;
    return new DecodeError(message, { found, type, structure, path });
  }

  /** The same error, seen from a structure around the one that it was found in. */
  within({ structure, path }: GoField): DecodeError {
    const inner = this.#mismatch;
    if (inner === undefined || structure === '') return this;
    const field = { structure, path: [...path, ...inner.path] };
    return DecodeError.ofType(inner.found, inner.type, field);
  }
}
