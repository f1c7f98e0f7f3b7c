package loop

import (
	"math/rand/v2"
	"slices"
	"testing"

	"nl2sql/scripts/must"
)

func TestElect(t *testing.T) {
	a, b, c := ballot{digest: "a", weight: 1}, ballot{digest: "b", weight: 1}, ballot{digest: "c", weight: 1}
	empty, failed := ballot{digest: "e", weight: emptyWeight}, ballot{}
	likely, unlikely := ballot{digest: "l", weight: 1, logprob: -1}, ballot{digest: "u", weight: 1, logprob: -2}
	never := ballot{digest: "n", weight: 1, logprob: -1e9}
	for _, tt := range []struct {
		name    string
		ballots []ballot
		winner  int
		share   float64
	}{
		{"most weight wins", []ballot{a, b, b, c}, 1, 0.5},
		{"the first wins a tie", []ballot{a, b, c, b, a}, 0, 0.4},
		{"where no other is likelier", []ballot{unlikely, likely, a}, 2, 1.0 / 3},
		{"likely words are worth more than some votes", []ballot{likely, unlikely, unlikely}, 0, 1.0 / 3},
		{"and less than many", append([]ballot{likely}, slices.Repeat([]ballot{unlikely}, 8)...), 1, 8.0 / 9},
		{"heads count where nothing is likely", []ballot{{digest: "m", weight: 1, logprob: -1e9}, never,
			never}, 1, 2.0 / 3},
		{"of equals that by which the question is likelier",
			[]ballot{{digest: "r", weight: 1, question: -9}, {digest: "s", weight: 1, question: -8}}, 1, 0.5},
		{"which counts a quarter of the query's likelihood",
			[]ballot{{digest: "r", weight: 1, logprob: -1, question: -1009},
				{digest: "s", weight: 1, logprob: -2, question: -1004.5}}, 1, 0.5},
		{"and not more", []ballot{{digest: "r", weight: 1, logprob: -1, question: -1009},
			{digest: "s", weight: 1, logprob: -2, question: -1005.5}}, 0, 0.5},
		{"of others the first", []ballot{failed, b, c}, 1, 1.0 / 3},
		{"an empty result gives way", []ballot{empty, a}, 1, 0.5},
		{"however often it comes", []ballot{empty, empty, empty, a}, 3, 0.25},
		{"and however likely", []ballot{empty, never}, 1, 0.5},
		{"and wins where nothing finds rows", []ballot{failed, empty, empty}, 1, 1.0 / 3},
		{"what failed has no weight", []ballot{failed, failed, failed, a}, 3, 0.25},
		{"nothing stands", []ballot{failed, failed}, -1, 0},
	} {
		if winner, share := elect(tt.ballots); winner != tt.winner || share != tt.share {
			t.Errorf("%s: elect = %d, %v; want %d, %v", tt.name, winner, share, tt.winner, tt.share)
		}
	}
}

func TestSettled(t *testing.T) {
	a, b := ballot{digest: "a", weight: 1}, ballot{digest: "b", weight: 1}
	empty, failed := ballot{digest: "e", weight: emptyWeight}, ballot{}
	for _, tt := range []struct {
		name    string
		ballots []ballot
		left    int
		want    bool
	}{
		{"none is left", []ballot{a, b, failed}, 0, true},
		{"empty results never are", []ballot{empty, empty, empty}, 1, false},
		{"nothing stands yet", []ballot{failed, failed}, 1, false},
		{"half may become a tie", []ballot{a, a}, 2, false},
		{"more than half is enough", []ballot{a, a, a}, 2, true},
		{"a later one may catch up", []ballot{a, b, a}, 2, false},
		{"what is left does not reach", []ballot{a, b, a, a}, 1, true},
	} {
		must.Equal(t, settled(tt.ballots, tt.left), tt.want, tt.name)
	}
}

// Whatever the ballots: what failed never wins, and what finds nothing only where nothing finds rows; the winner stays
// when one more votes for it, and when another that failed comes; where it was settled that most agree, most of all do.
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
		winner, share := elect(ballots)
		if winner < 0 {
			if slices.ContainsFunc(ballots, func(b ballot) bool { return b.weight > 0 }) {
				t.Fatalf("no winner: %+v", ballots)
			}
			continue
		}
		if ballots[winner].weight == 0 || share <= 0 || share > 1 {
			t.Fatalf("winner %d with share %v: %+v", winner, share, ballots)
		}
		if ballots[winner].weight < 1 && slices.ContainsFunc(ballots, func(b ballot) bool { return b.weight == 1 }) {
			t.Fatalf("winner %d finds nothing: %+v", winner, ballots)
		}
		most := func(ballots []ballot) party { return slices.MaxFunc(parties(ballots), party.more) }
		for n := 1; n < len(ballots); n++ {
			if settled(ballots[:n], len(ballots)-n) {
				early++
				if most(ballots[:n]).first != most(ballots).first {
					t.Fatalf("settled after %d: %+v", n, ballots)
				}
				break
			}
		}
		for _, more := range []ballot{ballots[winner], {}} {
			if again, _ := elect(append(slices.Clone(ballots), more)); again != winner {
				t.Fatalf("winner %d, with one more %+v it is %d: %+v", winner, more, again, ballots)
			}
		}
	}
	must.Be(t, early != 0, "no vote was settled early")
}
