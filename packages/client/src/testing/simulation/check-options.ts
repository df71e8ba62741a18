import { inspect } from 'node:util';
import { checkChoice, checkNumber, OptionError } from '../../lib/option-error.ts';
import { FAULT_KINDS } from './fault.ts';
import type { InvariantMoment } from './invariants.ts';
import type { SimulationSubject } from './options.ts';

const MOMENTS: readonly InvariantMoment[] = ['quiet', 'second-run', 'settled', 'write'];

/**
 * Throws an `OptionError` that names what a simulation cannot work with: the arguments of plain
 * JavaScript may be anything, and a fault or an invariant with a typo would never happen.
 */
export function checkSimulationOptions(options: SimulationSubject): void {
  requireObject('options', options);
  const { controllers, world, faults, invariants, replicas, durationMs, settleMs, quietMs } =
    options;
  requireFunction('controllers', controllers);
  if (world !== undefined) requireObject('world', world);
  checkFinite('replicas', replicas, 'count');
  checkFinite('durationMs', durationMs, 'duration');
  checkFinite('settleMs', settleMs, 'duration');
  checkFinite('quietMs', quietMs, 'duration');
  for (const [index, fault] of listOf('faults', faults).entries()) {
    checkFault(`faults[${index}]`, fault);
  }
  for (const [index, invariant] of listOf('invariants', invariants).entries()) {
    checkInvariant(`invariants[${index}]`, invariant);
  }
}

function checkFault(name: string, fault: unknown): void {
  if (typeof fault === 'string') return checkChoice(name, fault, FAULT_KINDS);
  requireObject(name, fault);
  // Null is none of the values that are accepted, and undefined would count as omitted.
  checkChoice(`${name}.kind`, Reflect.get(fault, 'kind') ?? null, FAULT_KINDS);
  checkFinite(`${name}.atMs`, Reflect.get(fault, 'atMs') ?? null, 'duration');
  checkNumber(`${name}.replica`, Reflect.get(fault, 'replica'), 'countOrNone');
  checkFinite(`${name}.forMs`, Reflect.get(fault, 'forMs'), 'duration');
}

function checkInvariant(name: string, invariant: unknown): void {
  requireObject(name, invariant);
  requireFunction(`${name}.check`, Reflect.get(invariant, 'check'));
  const moments: unknown[] = [Reflect.get(invariant, 'at')].flat();
  for (const moment of moments) checkChoice(`${name}.at`, moment ?? null, MOMENTS);
}

/** A simulation ends, so that it has no use for Infinity. */
function checkFinite(name: string, value: unknown, kind: 'count' | 'duration'): void {
  checkNumber(name, value, kind);
  if (value === Infinity) throw new OptionError(name, 'must be finite');
}

function listOf(name: string, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new OptionError(name, `must be a list, not ${inspect(value)}`);
}

function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') {
    throw new OptionError(name, `must be a function, not ${inspect(value)}`);
  }
}

function requireObject(name: string, value: unknown): asserts value is object {
  if (typeof value === 'object' && value !== null) return;
  throw new OptionError(name, `must be an object, not ${inspect(value)}`);
}
