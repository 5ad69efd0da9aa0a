import { expect, test } from 'vitest';
import type { SearchItem, SearchMatch, SearchResponse } from '#contract/video-service/answers.ts';
import { aSearchItem } from '#testing/a-search-item.ts';
import { groupRecent, groupSuggestions } from './suggestion.ts';

const match = (type: string, text: string, startTime = '00:00:00'): SearchMatch => ({ type, text, startTime, exactText: 'harb' });
const video = (id: string, name: string, ...searchMatches: SearchMatch[]) => aSearchItem({ id, name, searchMatches });
const answer = (...results: SearchItem[]): SearchResponse => ({ results, nextPage: { pageSize: 6, skip: 0, done: true } });

test('2.14 suggestions come as titles, people and moments, each leading to its place', () => {
  const groups = groupSuggestions(
    answer(
      video('a', 'Harbour at six [AB-1]', match('Title', 'Harbour at six'), match('Transcript', 'the harbour lights', '00:14:07.5')),
      video('b', 'Lamps', match('Face', 'Tomas Harbour'), match('Face', 'Tomas Harbour', '00:01:00')),
      video('c', 'Sea', match('Face', 'Tomas Harbour')),
    ),
    'harb',
  );
  expect(groups.map((group) => group.name)).toEqual(['Titles', 'People', 'Moments']);
  expect(groups[0]?.suggestions).toMatchObject([{ text: 'Harbour at six', detail: '42 min', to: '/video/a' }]);
  expect(groups[1]?.suggestions).toMatchObject([{ text: 'Tomas Harbour', detail: '', to: '/search?query=%22Tomas+Harbour%22&skip=0' }]);
  expect(groups[2]?.suggestions).toMatchObject([{ text: 'the harbour lights', detail: '00:14:07', to: '/video/a?t=847&query=harb' }]);
});

test('2.14 an archive that tells how many videos carry a name has it as a detail, and the search is for that name alone', () => {
  const groups = groupSuggestions(
    answer(
      video('a', 'Sea', { ...match('Face', 'Tobias "Harb" Kern'), videos: 1 }, { ...match('Brand', 'Harbison'), videos: 1_204 }),
      video('b', 'Lamps', match('Brand', 'Harbison', '00:01:00')),
    ),
    'harb',
  );
  expect(groups).toMatchObject([
    {
      name: 'People',
      suggestions: [{ detail: '1 video', to: `/search?${new URLSearchParams({ query: 'person:"Tobias  Harb  Kern"', skip: '0' })}` }],
    },
    {
      name: 'Brands',
      suggestions: [{ text: 'Harbison', detail: '1,204 videos', to: '/search?query=brand%3A%22Harbison%22&skip=0', icon: 'stamp' }],
    },
  ]);
});

test('a title is suggested for what it says itself, and not for what the description of its video does', () => {
  const inDescription = match('Description', 'Filmed from the harbour wall');
  const groups = groupSuggestions(
    answer(
      video('a', 'Landing at the harbour', inDescription, match('Title', 'Landing at the harbour')),
      video('b', 'Voyage of the moon', inDescription),
    ),
    'harb -tram',
  );
  expect(groups.map(({ name }) => name)).toEqual(['Titles']);
  expect(groups[0]?.suggestions.map(({ text, marks }) => [text, marks])).toEqual([['Landing at the harbour', [[15, 19]]]]);
});

test('a label that stands at many places of a video is suggested once', () => {
  const labels = ['00:00:00', '00:00:21'].map((time) => match('Annotations', 'harbour', time));
  const [group] = groupSuggestions(answer(video('a', 'Sea', ...labels)), 'harb');
  expect(group?.suggestions.map((row) => row.to)).toEqual(['/video/a?t=0&query=harb']);
});

test('a group holds three rows at most, and no row twice', () => {
  const moments = ['00:00:01', '00:00:01.5', '00:00:02', '00:00:03', '00:00:04'].map((time) => match('Ocr', `HARBOUR ${time}`, time));
  const [group] = groupSuggestions(answer(video('a', 'Sea', ...moments)), 'harb');
  expect(group?.suggestions.map((row) => row.to)).toEqual([
    '/video/a?t=1&query=harb',
    '/video/a?t=2&query=harb',
    '/video/a?t=3&query=harb',
  ]);
});

test('an answer without matches suggests nothing', () => {
  expect(groupSuggestions(answer(video('a', 'Sea')), 'harb')).toEqual([]);
});

test('recent searches lead to their results', () => {
  expect(groupRecent(['last tram', 'a', 'b', 'c'])[0]?.suggestions.map((row) => row.to)).toHaveLength(3);
  expect(groupRecent([])).toEqual([]);
});
