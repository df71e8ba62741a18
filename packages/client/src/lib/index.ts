export { type Clock, type ScheduledCall, sleep, systemClock } from './clock.ts';
export { cloneJson, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from './json.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
