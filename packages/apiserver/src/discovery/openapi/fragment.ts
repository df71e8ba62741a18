import type { JsonObject } from 'client-ts/internal';
import type { FieldWriter } from './protobuf/message-fields.ts';
import { ProtobufWriter } from './protobuf/protobuf-writer.ts';

/**
 * One path or one type of a large document, written once: when a custom resource comes or goes, the
 * others are only put together anew.
 */
export class Fragment {
  readonly name: string;
  readonly json: string;
  readonly #value: JsonObject;
  readonly #write: FieldWriter;
  #protobuf: Uint8Array | undefined;

  constructor(name: string, value: JsonObject, write: FieldWriter) {
    this.name = name;
    this.json = JSON.stringify(value);
    this.#value = value;
    this.#write = write;
  }

  /** A message of name and value. Made when first asked for: most clients read JSON. */
  protobuf(): Uint8Array {
    return (this.#protobuf ??= this.#encode());
  }

  #encode(): Uint8Array {
    const writer = new ProtobufWriter();
    writer.string(1, this.name);
    this.#write(writer, 2, this.#value);
    return writer.finish();
  }
}
