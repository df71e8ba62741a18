/** Something the person at the keyboard can mend; shown without a stack. */
export class Failure extends Error {
  /** @override */
  name = 'Failure';
}
