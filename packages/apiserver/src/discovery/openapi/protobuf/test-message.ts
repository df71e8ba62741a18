/** A parsed protobuf message: the values of each field, in order. Texts are bytes. */
export class TestMessage {
  readonly #fields = new Map<number, (number | Uint8Array)[]>();

  constructor(bytes: Uint8Array) {
    const buffer = Buffer.from(bytes);
    let at = 0;
    const varint = (): number => {
      let value = 0;
      for (let factor = 1; ; factor *= 0x80) {
        const byte = buffer.readUInt8(at++);
        value += (byte & 0x7f) * factor;
        if (byte < 0x80) return value;
      }
    };
    while (at < buffer.length) {
      const tag = varint();
      const field = Math.floor(tag / 8);
      const values = this.#fields.get(field) ?? [];
      this.#fields.set(field, values);
      if (tag % 8 === 0) values.push(varint());
      else if (tag % 8 === 1) {
        values.push(buffer.readDoubleLE(at));
        at += 8;
      } else if (tag % 8 === 2) {
        const length = varint();
        if (at + length > buffer.length) throw new RangeError(`field ${field} is cut off`);
        values.push(buffer.subarray(at, at + length));
        at += length;
      } else throw new RangeError(`field ${field} has the wire type ${tag % 8}`);
    }
  }

  get fields(): number[] {
    return [...this.#fields.keys()];
  }

  numbers(field: number): number[] {
    return (this.#fields.get(field) ?? []).map(Number);
  }

  texts(field: number): string[] {
    return this.#bytes(field).map((bytes) => Buffer.from(bytes).toString());
  }

  text(field: number): string | undefined {
    return this.texts(field)[0];
  }

  messages(field: number): TestMessage[] {
    return this.#bytes(field).map((bytes) => new TestMessage(bytes));
  }

  /** Returns the message at a path of fields; an empty one if there is none. */
  at(...path: number[]): TestMessage {
    const [field, ...rest] = path;
    if (field === undefined) return this;
    const [first = new TestMessage(new Uint8Array())] = this.messages(field);
    return first.at(...rest);
  }

  /** Returns the entries of a map field. */
  named(field: number): Map<string, TestMessage> {
    return new Map(this.messages(field).map((entry) => [entry.text(1) ?? '', entry.at(2)]));
  }

  #bytes(field: number): Uint8Array[] {
    return (this.#fields.get(field) ?? []).filter((value) => typeof value !== 'number');
  }
}
