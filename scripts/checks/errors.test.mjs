import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findErrorFaults } from './errors.mjs';

/** @param {string} name @param {string} parent @param {string} [definition] */
const source = (name, parent, definition = '') =>
  `/** Doors. */\nexport class ${name} extends ${parent} {\n  static {\n    ${definition}\n  }\n}\n`;

const path = 'packages/client/src/cache/doors.ts';

describe('findErrorFaults', () => {
  it('accepts a class with the prefix of its module, and a subclass without codes', () => {
    const text =
      source('DoorError', 'ClientError', "defineErrors(this, 'DoorError', 'CACHE', CODES);") +
      source('GateError', 'DoorError', "defineErrors(this, 'GateError');");
    assert.deepEqual(findErrorFaults(path, text), []);
  });

  it('reports a class that does not call defineErrors, or calls it with another name', () => {
    for (const definition of ['', "defineErrors(this, 'OtherError', 'CACHE', CODES);"]) {
      assert.deepEqual(findErrorFaults(path, source('DoorError', 'ClientError', definition)), [
        `${path}: DoorError does not call defineErrors(this, 'DoorError', …) in a static block`,
      ]);
    }
  });

  it('reports a class without codes whose parent has none', () => {
    const text = source('DoorError', 'ClientError', "defineErrors(this, 'DoorError');");
    assert.deepEqual(findErrorFaults(path, text), [`${path}: DoorError has no codes of its own`]);
  });

  it('reports a class that extends Error, also an empty one', () => {
    const fault = `${path}: DoorError extends Error; extend ClientError`;
    assert.deepEqual(findErrorFaults(path, source('DoorError', 'Error')), [fault]);
    assert.deepEqual(findErrorFaults(path, 'class DoorError extends Error {}\n'), [fault]);
  });

  it('reports the prefix of another module', () => {
    const text = source('DoorError', 'ClientError', "defineErrors(this, 'DoorError', 'REST', X);");
    assert.deepEqual(findErrorFaults(path, text), [
      `${path}: the codes of DoorError begin with REST_; expected CACHE_`,
    ]);
    assert.deepEqual(findErrorFaults('packages/client/src/rest/doors.ts', text), []);
  });

  it('expects the name of the package as the prefix outside the client', () => {
    const text = source('DoorError', 'ClientError', "defineErrors(this, 'DoorError', 'CLI', X);");
    const inRegistry = 'packages/apiserver/src/registry/doors.ts';
    assert.deepEqual(findErrorFaults('packages/cli/src/frame/doors.ts', text), []);
    assert.deepEqual(findErrorFaults(inRegistry, text), [
      `${inRegistry}: the codes of DoorError begin with CLI_; expected APISERVER_`,
    ]);
  });
});
