/** Where a callback ends that belongs to no sign-in under way. */
export const failedCallbackPath = '/sign-in/popup-done';
