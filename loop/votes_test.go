package loop

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestElect(t *testing.T) {
	a, b, c := ballot{digest: "a", weight: 1}, ballot{digest: "b", weight: 1}, ballot{digest: "c", weight: 1}
	empty, failed := ballot{digest: "e", weight: emptyWeight}, ballot{}
	likely, unlikely := ballot{digest: "l", weight: 1, logprob: -1}, ballot{digest: "u", weight: 1, logprob: -2}
	for _, tt := range []struct {
		name    string
		ballots []ballot
		left    int
		winner  int
		share   float64
		settled bool
	}{
		{"most weight wins", []ballot{a, b, b, c}, 0, 1, 0.5, true},
		{"the first wins a tie", []ballot{a, b, c, b, a}, 0, 0, 0.4, true},
		{"where no other is likelier", []ballot{unlikely, likely, a}, 0, 2, 1.0 / 3, true},
		{"likely words are worth less than votes", []ballot{likely, unlikely, unlikely}, 0, 1, 2.0 / 3, true},
		{"of others the first", []ballot{failed, b, c}, 0, 1, 1.0 / 3, true},
		{"an empty result gives way", []ballot{empty, a}, 0, 1, 0.5, true},
		{"however often it comes", []ballot{empty, empty, empty, a}, 0, 3, 0.25, true},
		{"and wins where nothing finds rows", []ballot{failed, empty, empty}, 0, 1, 1.0 / 3, true},
		{"after all others", []ballot{empty, empty, empty}, 1, 0, 0.5, false},
		{"what failed has no weight", []ballot{failed, failed, failed, a}, 0, 3, 0.25, true},
		{"nothing stands", []ballot{failed, failed}, 0, -1, 0, true},
		{"nothing stands yet", []ballot{failed, failed}, 1, -1, 0, false},
		{"half may become a tie", []ballot{a, a}, 2, 0, 1, false},
		{"more than half is enough", []ballot{a, a, a}, 2, 0, 1, true},
		{"a later one may catch up", []ballot{a, b, a}, 2, 0, 2.0 / 3, false},
		{"and may overtake the second only", []ballot{a, b, b}, 1, 1, 2.0 / 3, false},
		{"what is left does not reach", []ballot{a, b, a, a}, 1, 0, 0.75, true},
	} {
		winner, share, settled := elect(tt.ballots, tt.left)
		if winner != tt.winner || share != tt.share || settled != tt.settled {
			t.Errorf("%s: elect = %d, %v, %v; want %d, %v, %v", tt.name, winner, share, settled, tt.winner, tt.share, tt.settled)
		}
	}
}

// Whatever the ballots: who stops where a vote is settled has the winner of all of them; what failed never wins; the winner
// stays when one more votes for it, and when another that failed comes.
func TestElectProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	early := 0
	for range 20_000 {
		ballots := make([]ballot, 1+random.IntN(9))
		for i := range ballots {
			switch n := random.IntN(6); n {
			case 0:
			case 1:
				ballots[i] = ballot{digest: "nothing", weight: emptyWeight}
			default:
				ballots[i] = ballot{digest: string(rune('a' + n)), weight: 1, logprob: -float64(random.IntN(3))}
			}
		}
		winner, share, settled := elect(ballots, 0)
		if !settled {
			t.Fatalf("all votes are in, and it is not settled: %+v", ballots)
		}
		if winner < 0 {
			if slices.ContainsFunc(ballots, func(b ballot) bool { return b.weight > 0 }) {
				t.Fatalf("no winner: %+v", ballots)
			}
			continue
		}
		if ballots[winner].weight == 0 || share <= 0 || share > 1 {
			t.Fatalf("winner %d with share %v: %+v", winner, share, ballots)
		}
		for n := 1; n < len(ballots); n++ {
			if first, _, settled := elect(ballots[:n], len(ballots)-n); settled {
				early++
				if ballots[first].digest != ballots[winner].digest {
					t.Fatalf("settled for %d after %d, and %d wins: %+v", first, n, winner, ballots)
				}
				break
			}
		}
		for _, more := range []ballot{ballots[winner], {}} {
			if again, _, _ := elect(append(slices.Clone(ballots), more), 0); again != winner {
				t.Fatalf("winner %d, with one more %+v it is %d: %+v", winner, more, again, ballots)
			}
		}
	}
	if early == 0 {
		t.Error("no vote was settled early")
	}
}
