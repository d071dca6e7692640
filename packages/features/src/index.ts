/** Features extend the kernel without being part of the turn. Each is a folder. */
export { offlineImports } from './imports/imports.ts';
export { FEATURE_ROUTES, type OpenCounter, OpenFeatures, STORE_HOOKS } from './open-features.ts';
export { FolderSkills } from './skills/skill-reader.ts';
