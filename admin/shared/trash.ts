/** The trash of forms and submissions. */

/**
 * Days after which the engine deletes the contents of the trash (`TRASH_DAYS` in src/store/purge.rs, which a test
 * compares).
 */
export const TRASH_DAYS = 30;
