/**
 * Roles from what a program does: recording the permissions that it uses, enforcing a role, and
 * comparing the two.
 *
 * @module
 */

export {
  compareRoles,
  type CompareRolesOptions,
  permissionsIn,
  type RoleDifferences,
} from './compare-roles.ts';
export {
  describePermission,
  type Permission,
  type ResourcePermission,
  type UrlPermission,
} from './permission.ts';
export { RbacEnforcer, type RbacEnforcerOptions } from './rbac-enforcer.ts';
export { RBAC_ERRORS, RbacError, type RbacErrorCode } from './rbac-error.ts';
export { RbacRecorder, type RecordedRolesOptions } from './rbac-recorder.ts';
export { rulesOf, type RulesOptions } from './role-rules.ts';
