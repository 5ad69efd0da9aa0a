import { createContext } from 'react';
import { NavigationType } from 'react-router';

/**
 * How one came to the page: by the browser's back or forward, and then it shows what it showed before, by a link, or in the place of another
 * page, as from the sign-in window. Routes that are given a location do not know it by themselves, so it is handed down here.
 */
export const ArrivalContext = createContext(NavigationType.Push);
