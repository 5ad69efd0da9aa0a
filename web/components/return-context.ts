import { createContext } from 'react';

/** Whether the browser's own back or forward led here: then a page shows what it showed before. Routes with a place of their own no longer know. */
export const ReturnContext = createContext(false);
