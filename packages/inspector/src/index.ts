/**
 * A web page that shows what the informers, queues and controllers of a program are doing.
 *
 * @module
 */

export { redactObject, type RedactedObject } from './redact-object.ts';
