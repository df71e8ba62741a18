import { OptionError, requireNumber } from '../lib/option-error.ts';
import type { ManagerOptions } from './manager-options.ts';

const LOGGER = ['debug', 'info', 'warn', 'error'];

/**
 * Throws an `OptionError` that names what a manager cannot work with: the arguments of plain JavaScript
 * may be anything.
 */
export function checkManagerOptions(config: unknown, options: ManagerOptions): void {
  requireObject('config', config);
  requireObject('options', options);
  const { logger, leaderElection, sharding, health, metrics, webhooks, loopGuard } = options;
  if (logger !== undefined && !LOGGER.every((name) => isMethod(logger, name))) {
    throw new OptionError('logger', `must have the methods ${LOGGER.join(', ')}`);
  }
  for (const [name, endpoint] of Object.entries({ health, metrics })) {
    if (endpoint === undefined) continue;
    requireObject(name, endpoint);
    requireNumber(`${name}.port`, endpoint.port, 'port');
    checkText(`${name}.host`, endpoint.host);
  }
  if (webhooks !== undefined) {
    requireObject('webhooks', webhooks);
    requireText('webhooks.certDir', webhooks.certDir);
    if (webhooks.port !== undefined) requireNumber('webhooks.port', webhooks.port, 'port');
    checkText('webhooks.host', webhooks.host);
  }
  if (leaderElection !== undefined) {
    requireObject('leaderElection', leaderElection);
    requireText('leaderElection.name', leaderElection.name);
    checkText('leaderElection.namespace', leaderElection.namespace);
  }
  if (sharding !== undefined) requireObject('sharding', sharding);
  if (loopGuard !== undefined && loopGuard !== false) requireObject('loopGuard', loopGuard);
}

function isMethod(value: unknown, name: string): boolean {
  return typeof Reflect.get(Object(value), name) === 'function';
}

function requireObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) return;
  throw new OptionError(name, `must be an object, not ${value === null ? 'null' : typeof value}`);
}

function requireText(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  throw new OptionError(name, 'must be a string that is not empty');
}

function checkText(name: string, value: unknown): void {
  if (value !== undefined) requireText(name, value);
}
