import { groupVersions } from 'client-ts/api/all';

export const count: number = groupVersions.length;
