import { createContext } from 'react';

/** Whether this page only stands behind the sign-in window: then it leaves title and focus to the window. */
export const BehindContext = createContext(false);
