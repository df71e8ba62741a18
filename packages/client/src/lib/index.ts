export { aggregateMessage } from './aggregate-message.ts';
export { type Clock, type ScheduledCall, sleep, systemClock } from './clock.ts';
export {
  brandInstances,
  ClientError,
  type ClientErrorOptions,
  errorChain,
  isBranded,
} from './errors.ts';
export {
  cloneJson,
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  setKey,
} from './json.ts';
export { quoteGo } from './quote.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
