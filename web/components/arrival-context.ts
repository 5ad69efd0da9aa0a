import { createContext } from 'react';
import { NavigationType } from 'react-router';

/**
 * How one came to the page: by the browser's own back or forward, and then it shows what it showed before, by a link, or in the place of
 * another page, as from the sign-in window. Routes with a place of their own no longer know.
 */
export const ArrivalContext = createContext(NavigationType.Push);
