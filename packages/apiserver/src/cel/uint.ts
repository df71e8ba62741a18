/** An unsigned integer of 64 bits, which CEL keeps apart from the signed ones. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}
