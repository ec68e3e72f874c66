/** The script of all benches with speech, one minute long, so that their figures are comparable. */
export const oneMinuteScript = `Most people think that calm mornings are a matter of luck. They are made the evening before.
Start with your clothes: lay them out, so that the first decision of the day is already taken. Then fill the kettle and put your
favourite cup beside it. It takes ten seconds at night, and it feels like a gift at six.
The second habit is light. Open the curtains before you look at your phone, because your body wakes up with the sun and not with
the news. Stand at the window for two minutes, breathe slowly, and look at something that is far away.
The third habit is a short list. Write down three things, no more, and do the smallest one first. A small win early makes the next
one easier, and by nine you have finished what used to wait until noon.
None of this needs an app, a coach or a new alarm clock. Try it for one week, tell a friend what changed, and keep what works.`
